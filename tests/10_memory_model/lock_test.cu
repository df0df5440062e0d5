// Grades 10_memory_model/lock: the accounts after many threads have entered their amounts.
#include <climits>
#include <string>

#include "10_memory_model/10_memory_model.hpp"
#include "grader.cuh"

namespace {

using memory_model::Account;

void enter(kit::Case& test, int n, int count, int calls = 1) {
    const std::vector<Account> empty(count, Account{0, 0, 0, INT_MIN});
    auto accounts = test.inout<Account>("accounts", empty);
    std::vector<Account> want = empty;
    for (int call = 0; call < calls; ++call) {
        const auto amounts = kit::integers<int>(test.random(), n, -1000, 1000);
        const auto owners = kit::integers<int>(test.random(), n, 0, count - 1);
        auto in = test.input("amounts", amounts);
        auto of = test.input("owners", owners);
        test.call([&] { memory_model::lock(in.data(), of.data(), n, accounts.data()); });
        for (int i = 0; i < n; ++i) {
            Account& account = want[owners[i]];
            account.balance += amounts[i];
            account.entries += 1;
            account.largest = std::max(account.largest, amounts[i]);
        }
        std::vector<int> locks, got, expected;
        for (const Account& account : accounts.values()) {
            locks.push_back(account.lock);
            got.insert(got.end(), {account.balance, account.entries, account.largest});
        }
        for (const Account& account : want)
            expected.insert(expected.end(), {account.balance, account.entries, account.largest});
        test.expect("balance, entries and largest of each account", got, expected);
        test.check(locks == std::vector<int>(count, 0), "a lock is still held after the call",
                   kit::Diagnosis::second_call);
    }
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("10_memory_model", "lock", argc, argv);
    grader.task(2, {kit::Diagnosis::second_call});
    grader.task(2, "on the side of the writer");
    grader.task(1, "on the side of the reader");
    grader.task(3, {kit::Diagnosis::wrong_value, kit::Diagnosis::race});
#ifdef KIT_CPU
    constexpr double seconds = 3;  // of processor time; the executor stops a kernel after a third of it
#else
    constexpr double seconds = 10;
#endif
    const kit::CaseOptions waits{seconds, false, "a thread waits for a lock that nobody gives back"};
    grader.add(
        "one amount", [](kit::Case& test) { enter(test, 1, 1); }, waits);
    grader.add(
        "a warp, one account", [](kit::Case& test) { enter(test, 32, 1); }, waits);
    grader.add(
        "a warp, two accounts", [](kit::Case& test) { enter(test, 32, 2); }, waits);
    grader.add(
        "4 blocks, one account", [](kit::Case& test) { enter(test, 1000, 1); }, waits);
    grader.add(
        "n=3001, 17 accounts", [](kit::Case& test) { enter(test, 3001, 17); }, waits);
    grader.add(
        "several calls", [](kit::Case& test) { enter(test, 300, 3, 3); }, waits);
    grader.add(
        "no amount", [](kit::Case& test) { enter(test, 0, 1); }, waits);
#ifndef KIT_CPU
    grader.add(
        "n=20003, 50 accounts", [](kit::Case& test) { enter(test, 20003, 50); }, waits);
#endif
    return grader.run();
}

// Grades 10_memory_model/lock: the accounts after many threads have entered their amounts.
#include <climits>
#include <string>

#include "10_memory_model/10_memory_model.hpp"
#include "grader.cuh"

namespace {

using memory_model::Account;

bool never_ends = false;  ///< some threads keep the lock, so others wait for it forever

void enter(kit::Case& test, int n, int count, int calls = 1) {
    if (never_ends) test.skip("not run: a thread would wait for a lock forever");
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

/// One amount, for the last of three accounts, which holds entries already. What one thread does to the accounts, in order, shows
/// whether it uses the lock. `higher`: the amount is the largest so far. Returns whether the lock is given back.
bool enter_one(kit::Case& test, bool higher) {
    constexpr int count = 3, owner = 2;
    const std::vector<Account> before(count, Account{0, 40, 3, 500});
    auto accounts = test.inout<Account>("accounts", before);
    auto amounts = test.input<int>("amounts", {higher ? 700 : 300});
    auto owners = test.input<int>("owners", {owner});
#ifdef KIT_CPU
    kit::cpu::trace_thread(0, 0);
#endif
    test.call([&] { memory_model::lock(amounts.data(), owners.data(), 1, accounts.data()); });
#ifdef KIT_CPU
    const auto* const begin = reinterpret_cast<const char*>(accounts.data());
    bool traced = false, has_lock = false, other_lock = false, atomic_member = false, bare_member = false;
    for (const kit::cpu::TracedAccess& access : kit::cpu::take_trace()) {
        const auto offset = access.address - begin;
        traced = true;
        if (offset < 0 || offset >= static_cast<std::ptrdiff_t>(count * sizeof(Account))) continue;
        const bool of_owner = offset / static_cast<std::ptrdiff_t>(sizeof(Account)) == owner;
        const bool is_lock = offset % static_cast<std::ptrdiff_t>(sizeof(Account)) == 0;
        if (is_lock) {
            has_lock = has_lock || (of_owner && access.atomic);
            other_lock = other_lock || (!of_owner && access.atomic);
        } else {
            atomic_member = atomic_member || access.atomic;
            bare_member = bare_member || !has_lock;
        }
    }
    const bool right = !traced || (has_lock && !other_lock && !atomic_member && !bare_member);
    std::string why = "the account is touched before its lock is taken (Task 3)";
    if (!has_lock) why = "its lock is never taken (Task 3)";
    if (atomic_member) why = "atomics change its balance, entries or largest, which the lock is for (Task 3)";
    if (other_lock) why = "the thread takes the lock of a different account (Task 3)";
    test.demand("locks", right, "an amount is entered into `accounts[2]`, and " + why, kit::Diagnosis::part);
#endif
    return accounts.values()[owner].lock == 0;
}

void one_after_another(kit::Case& test) {
    const bool higher = enter_one(test, true), lower = enter_one(test, false);
    never_ends = higher != lower;
    test.check(higher == lower,
               std::string("the lock is given back only where the amount is ") +
                   (higher ? "the largest so far" : "not the largest so far") + " (Task 3)",
               kit::Diagnosis::part);
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("10_memory_model", "lock", argc, argv);
    grader.task(2, {kit::Diagnosis::second_call});
    grader.task(2, kit::About::writers_half());
    grader.task(1, kit::About::readers_half());
    grader.task(3, {kit::Diagnosis::wrong_value, kit::Diagnosis::race});
#ifdef KIT_CPU
    constexpr double seconds = 3;  // of processor time; the executor stops a kernel after a third of it
#else
    constexpr double seconds = 10;
#endif
    const kit::CaseOptions waits{seconds, false, "a thread waits for a lock that nobody gives back"};
    grader.add("one amount, and what a thread does", one_after_another, waits);
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

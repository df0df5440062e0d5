// Grades 10_memory_model/lock: the accounts after many threads have entered their amounts.
#include <climits>
#include <string>
#include <utility>

#include "10_memory_model/10_memory_model.hpp"
#include "grader.cuh"
#include "remembered.hpp"

#ifdef KIT_CPU
namespace memory_model {

/// The names of its members, for reports.
std::vector<kit::cpu::StructMember> kit_members_of(const Account*) {
    using kit::cpu::member;
    return {member("lock", &Account::lock), member("balance", &Account::balance),
            member("entries", &Account::entries), member("largest", &Account::largest)};
}

}  // namespace memory_model
#endif

namespace {

using memory_model::Account;

bool never_ends = false;  ///< some threads keep the lock, so others wait forever
const kit::Remembered<bool> one_thread_is_right;

/// Explains a race on a lock that one thread exchanges while another thread accesses it without an atomic.
kit::Said why_it_races(const kit::facts::Finding& found) {
    if (found.memory.name.compare(0, 8, "accounts") != 0 || found.accesses.size() != 2 ||
        found.accesses[0].atomic == found.accesses[1].atomic)
        return "";
    return found.accesses[found.accesses[0].atomic ? 1 : 0].write
               ? "a plain store releases a lock that other threads exchange: release it with an atomic" +
                     kit::task(2)
               : "a plain load reads a lock that other threads exchange: use an atomic operation" +
                     kit::task(1);
}

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
        test.explain(kit::Diagnosis::race, why_it_races);
        if (*one_thread_is_right)
            test.explain(kit::Diagnosis::timeout,
                         "a single thread takes the lock and releases it, but with several threads one keeps "
                         "it, or waits "
                         "for others while it holds it: release it before you wait" +
                             kit::task(3));
        test.call([&] { memory_model::lock(in.data(), of.data(), n, accounts.data()); });
        for (int i = 0; i < n; ++i) {
            Account& account = want[owners[i]];
            account.balance += amounts[i];
            account.entries += 1;
            account.largest = std::max(account.largest, amounts[i]);
        }
        const std::vector<Account> got = accounts.values();
        const auto members = [](const std::vector<Account>& of, int Account::*member) {
            std::vector<int> values;
            for (const Account& account : of) values.push_back(account.*member);
            return values;
        };
        for (const auto& [name, member] : {std::pair("balance of each account", &Account::balance),
                                           std::pair("entries of each account", &Account::entries),
                                           std::pair("largest of each account", &Account::largest)})
            test.expect(name, members(got, member), members(want, member));
        const std::vector<int> locks = members(got, &Account::lock);
        test.check(locks == std::vector<int>(count, 0),
                   "a lock is still held after the call: release it on every path",
                   kit::Diagnosis::second_call);
        if (n > 0) test.by_kernels(kit::named_task(3));
    }
}

/// Enters one amount into the last of three accounts, which already holds entries. The accesses of the one thread, in order, show
/// whether it uses the lock. `higher`: the amount is the largest so far. Returns whether the thread releases the lock.
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
    bool traced = false, has_lock = false, other_lock = false, atomic_member = false, bare_member = false,
         stored_lock = false;
    for (const kit::cpu::TracedAccess& access : kit::cpu::take_trace()) {
        const auto offset = access.address - begin;
        traced = true;
        if (offset < 0 || offset >= static_cast<std::ptrdiff_t>(count * sizeof(Account))) continue;
        const bool of_owner = offset / static_cast<std::ptrdiff_t>(sizeof(Account)) == owner;
        const bool is_lock = offset % static_cast<std::ptrdiff_t>(sizeof(Account)) == 0;
        if (is_lock) {
            stored_lock = stored_lock || (!has_lock && access.write && !access.update);
            has_lock = has_lock || (of_owner && access.update);
            other_lock = other_lock || (!of_owner && access.atomic);
        } else {
            atomic_member = atomic_member || access.atomic;
            bare_member = bare_member || !has_lock;
        }
    }
    const bool right = !traced || (has_lock && !other_lock && !atomic_member && !bare_member && !stored_lock);
    kit::Said why =
        "the thread accesses the account before it has taken the lock: take the lock first" + kit::task(3);
    if (!has_lock) why = "the thread never takes its lock: take it first" + kit::task(3);
    if (stored_lock)
        why =
            "a store sets its lock, so two threads that have both read a free lock both take it. Read and "
            "set it "
            "in one atomic operation" +
            kit::task(1);
    if (atomic_member)
        why =
            "atomics change its balance, entries or largest: use plain accesses, because the lock protects "
            "them" +
            kit::task(3);
    if (other_lock)
        why =
            "the thread takes the lock of a different account: take the lock of this account" + kit::task(3);
    test.demand("locks", right, "an amount is entered into `accounts[2]`, and " + why, kit::Diagnosis::part);
#endif
    return accounts.values()[owner].lock == 0;
}

void one_after_another(kit::Case& test) {
    const bool higher = enter_one(test, true), lower = enter_one(test, false);
    never_ends = higher != lower;
    *one_thread_is_right = higher && lower;
    test.check(higher == lower,
               std::string("the lock is released only if the amount is ") +
                   (higher ? "the largest so far" : "not the largest so far") + ": release it in both cases" +
                   kit::task(3),
               kit::Diagnosis::part);
}

#ifdef KIT_CPU
/// A lock that is never released: a thread that waits for it is stopped. A thread that does not wait would hold it together with its owner.
void held_by_another(kit::Case& test) {
    const std::vector<Account> before = {{1, 40, 3, 500}};
    auto accounts = test.inout<Account>("accounts", before);
    auto amounts = test.input<int>("amounts", {700});
    auto owners = test.input<int>("owners", {0});
    kit::cpu::set_kernel_time_limit(0.2);
    const std::uint64_t kernels_before = kit::cpu::counters().kernels;
    cudaError_t error = cudaSuccess;
    test.call_unchecked([&] {
        memory_model::lock(amounts.data(), owners.data(), 1, accounts.data());
        error = cudaDeviceSynchronize();
    });
    if (error == cudaSuccess && kit::cpu::counters().kernels == kernels_before)
        return test.by_kernels(kit::named_task(3));
    test.check(error != cudaSuccess,
               "the lock of `accounts[0]` is held before the call, but the thread changes the account "
               "without waiting for the lock: try again until the exchange returns 0" +
                   kit::task(1),
               kit::Diagnosis::part);
}
#endif

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("10_memory_model", "lock", argc, argv);
    grader.task(2, {kit::Diagnosis::second_call});
    grader.task(2, kit::About::writers_half());
    grader.task(1, kit::About::readers_half());
    grader.task(3, {kit::Diagnosis::wrong_value, kit::Diagnosis::tail, kit::Diagnosis::race});
    for (const char* const member : {"balance", "entries", "largest"})
        grader.task(3, kit::About().output(std::string(member) + " of each account"));
#ifdef KIT_CPU
    constexpr double seconds = 3;  // processor time; the executor stops a kernel after a third of it
#else
    constexpr double seconds = 10;
#endif
    const kit::CaseOptions waits{
        seconds, false, "a thread waits for a lock that is never released: release it on every path"};
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
#ifdef KIT_CPU
    // This case is the last, because the device is lost.
    grader.add("a lock that another thread holds", held_by_another, {seconds, true, waits.late});
#else
    grader.add(
        "n=20003, 50 accounts", [](kit::Case& test) { enter(test, 20003, 50); }, waits);
#endif
    return grader.run();
}

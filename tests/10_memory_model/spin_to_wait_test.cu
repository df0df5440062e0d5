// Grades 10_memory_model/spin_to_wait: the running totals, the flags after the call, and the polls that justify the choice.
#include <algorithm>
#include <string>

#include "10_memory_model/10_memory_model.hpp"
#include "grader.cuh"

namespace {

using memory_model::kMaxChain;
using memory_model::kPatience;
using memory_model::Way;

/// Explains a race on a flag with a plain access on one side.
kit::Said why_it_races(const kit::facts::Finding& found) {
    if (found.memory.name != "passed" || found.accesses.size() != 2 ||
        found.accesses[0].atomic == found.accesses[1].atomic)
        return "";
    return found.accesses[found.accesses[0].atomic ? 1 : 0].write
               ? "a plain store sets the flag that another block waits for: set it with an atomic" +
                     kit::task(2)
               : "a plain load polls the flag, which the compiler may execute only once: use an atomic load, "
                 "or wait()" +
                     kit::task(1);
}

#ifdef KIT_CPU
/// Checks the loads and notifications of the last call against the limits of the chosen way, and against the failed polls that
/// the blocks report.
void judge_polls(kit::Case& test, Way way, int n, int blocks, const std::vector<int>& failed) {
    const kit::cpu::Counters counters = kit::cpu::counters();
    // Each value is loaded once, and each total at most once. A program may poll with loads or with updates; a block also needs
    // one update per warp for its sum, and up to two for its flags.
    const std::uint64_t needed =
        static_cast<std::uint64_t>(n) + blocks + 10 * blocks * (counters.atomics > 0);
    const std::uint64_t loads = counters.global_loads + counters.atomics;
    const std::uint64_t polls = loads > needed ? loads - needed : 0;
    const std::string counted =
        std::to_string(polls) + " polls of flags by " + kit::count_of(blocks, "block");
    const bool waits = way == Way::wait;
    test.demand("notifications", kit::unless(!waits || !loads, kit::at_least(counters.notifies, blocks - 1)),
                kit::count_of(counters.notifies, "notification") + " for " +
                    kit::count_of(blocks - 1, "flag") +
                    ": call notify_one() after each store, or a block that sleeps in wait() may sleep "
                    "forever; if your blocks poll in a loop, return Way::spin" +
                    kit::task(2, 3));
    if (waits)
        test.demand("polls", kit::at_most(polls, 2 * blocks * (blocks + 8)),
                    counted +
                        " are too many for wait(): let the blocks sleep in wait(), or return Way::spin" +
                        kit::task(1, 3));
    if (waits) return;
    // Besides the failed polls, each block has one that finds the flag set, and it may look at the flag again.
    std::uint64_t reported = 0;
    for (const int each : failed) reported += static_cast<std::uint64_t>(std::max(each, 0));
    test.demand("polls", kit::at_most(polls, reported + 8 * blocks),
                counted + ", but `polls` has only " + std::to_string(reported) +
                    ": let one thread of each block poll, and count each poll that finds 0; if your blocks "
                    "call wait(), return Way::wait" +
                    kit::task(1, 3));
    test.demand("polls", kit::at_most(reported, kPatience * blocks * blocks),
                std::to_string(reported) + " failed polls by " + kit::count_of(blocks, "block") +
                    " are too many to justify spinning: let one thread of each block poll" + kit::task(1));
}
#endif

void chain(kit::Case& test, const std::vector<std::pair<int, int>>& calls) {
    auto passed = test.inout<int>("passed", std::vector<int>(kMaxChain, 0));
    for (const auto& [n, blocks] : calls) {
        const auto values = kit::integers<int>(test.random(), n, -1000, 1000);
        auto in = test.input("in", values);
        auto totals = test.output<int>("totals", blocks);
        test.explain(kit::Diagnosis::race, why_it_races);
#ifdef KIT_CPU
        kit::cpu::reset_counters();
#endif
        auto polls = test.output<int>("polls", blocks);
        const Way way = test.call([&, n = n, blocks = blocks] {
            return memory_model::spin_to_wait(in.data(), n, blocks, passed.data(), polls.data(),
                                              totals.data());
        });
        const std::vector<int> failed = polls.values();
#ifdef KIT_CPU
        judge_polls(test, way, n, blocks, failed);
#endif
        std::vector<int> want(blocks);
        const int share = kit::ceil_div(n, blocks);
        int sum = 0;
        for (int b = 0, i = 0; b < blocks; ++b) {
            for (; i < n && i < (b + 1) * share; ++i) sum += values[i];
            want[b] = sum;
        }
        test.expect(totals, want);
        test.check(failed[0] == 0, "`polls[0]` is " + std::to_string(failed[0]) +
                                       ", but block 0 does not poll: write 0" + kit::task(1));
        test.check(
            *std::min_element(failed.begin(), failed.end()) >= 0,
            "some elements of `polls` are negative: each block must write the number of its failed polls" +
                kit::task(1));
        if (n > 0) test.by_kernels(kit::named_task(1));
        test.check(passed.values() == std::vector<int>(kMaxChain, 0),
                   "some flags of `passed` are not 0 after the call, so the next call would not wait: reset "
                   "every flag to 0",
                   kit::Diagnosis::second_call);
    }
}

#ifdef KIT_CPU
/// Returns the accesses of thread 0 of a block, in order.
std::vector<kit::cpu::TracedAccess> trace_of(kit::Case& test, int block, int& first_of_share,
                                             const int*& in_begin, const int*& flags) {
    constexpr int n = 4000, blocks = 4;
    auto passed = test.inout<int>("passed", std::vector<int>(kMaxChain, 0));
    auto in = test.input("in", kit::integers<int>(test.random(), n, -1000, 1000));
    auto totals = test.output<int>("totals", blocks);
    auto polls = test.output<int>("polls", blocks);
    first_of_share = block * (n / blocks);
    in_begin = in.data(), flags = passed.data();
    kit::cpu::trace_thread(static_cast<std::uint64_t>(block), 0);
    const auto is_at = [](const kit::cpu::TracedAccess& access, const int* address) {
        return access.address == reinterpret_cast<const char*>(address);
    };
    test.explain(kit::Diagnosis::race, [&](const kit::facts::Finding& found) -> kit::Said {
        using kit::facts::Fix;
        const bool half_is_missing = found.fix == Fix::release || found.fix == Fix::wider_release ||
                                     found.fix == Fix::acquire || found.fix == Fix::wider_acquire;
        if (found.memory.name != "totals" || block != 0 || half_is_missing) return why_it_races(found);
        for (const kit::cpu::TracedAccess& access : kit::cpu::take_trace()) {
            if (access.write && access.atomic && is_at(access, flags))
                return "block 0 sets `passed[0]` before it has written its total: write the total first" +
                       kit::task(2);
            if (access.write && is_at(access, totals.data())) break;
        }
        return "block 1 reads the total of block 0 before it has waited for the flag: wait first" +
               kit::task(1);
    });
    test.explain(kit::Diagnosis::timeout, [&](const kit::facts::Finding&) -> kit::Said {
        for (const kit::cpu::TracedAccess& access : kit::cpu::take_trace())
            if (access.write && access.atomic && access.address == reinterpret_cast<const char*>(flags))
                return block == 0 ? "block 0 has set `passed[0]`, but block 1 waits for a different value: "
                                    "wait for the value that is set" +
                                        kit::task(1)
                                  : "";
        return block == 0
                   ? "block 0 never sets `passed[0]`, but block 1 waits for it: set it after the total" +
                         kit::task(2)
                   : "";
    });
    test.call([&] {
        memory_model::spin_to_wait(in.data(), n, blocks, passed.data(), polls.data(), totals.data());
    });
    return kit::cpu::take_trace();
}

/// Checks that the wait comes after the block's own sum, and the notify after the store.
void judge_order(kit::Case& test) {
    int first = 0;
    const int *in = nullptr, *flags = nullptr;
    bool stored = false, notified_before = false, notified_after = false;
    for (const kit::cpu::TracedAccess& access : trace_of(test, 0, first, in, flags)) {
        if (access.address != reinterpret_cast<const char*>(flags)) continue;
        if (access.is_notify()) (stored ? notified_after : notified_before) = true;
        stored = stored || (access.write && access.atomic);
    }
    test.demand(
        "order", notified_after || !notified_before,
        "block 0 calls notify before it has set `passed[0]`: set the flag first, or the block that wakes up "
        "finds the old value and sleeps forever" +
            kit::task(2),
        kit::Diagnosis::part);
    bool asked = false, too_early = false;
    for (const kit::cpu::TracedAccess& access : trace_of(test, 1, first, in, flags)) {
        if (access.address == reinterpret_cast<const char*>(flags)) asked = true;
        if (access.address == reinterpret_cast<const char*>(in + first)) too_early = asked;
    }
    test.demand("order", !too_early,
                "block 1 waits for block 0 before it has summed its own share: sum first, so that the blocks "
                "work at the same time" +
                    kit::task(1),
                kit::Diagnosis::part);
}

/// Checks that a block that spins reports its polls. The blocks start in reverse order, so the last block must wait.
void judge_count(kit::Case& test) {
    constexpr int n = 4000, blocks = 16, last = blocks - 1;
    kit::cpu::set_schedule(kit::cpu::Order::reverse);
    auto passed = test.inout<int>("passed", std::vector<int>(kMaxChain, 0));
    auto in = test.input("in", kit::integers<int>(test.random(), n, -1000, 1000));
    auto polls = test.output<int>("polls", blocks);
    auto totals = test.output<int>("totals", blocks);
    kit::cpu::trace_thread(last, 0);
    const Way way = test.call([&] {
        return memory_model::spin_to_wait(in.data(), n, blocks, passed.data(), polls.data(), totals.data());
    });
    int reads = 0, updates = 0;  // accesses to the flag of the previous block
    for (const kit::cpu::TracedAccess& access : kit::cpu::take_trace()) {
        if (access.address == reinterpret_cast<const char*>(totals.data() + last - 1)) break;
        if (access.address != reinterpret_cast<const char*>(passed.data() + last - 1)) continue;
        reads += !access.write || access.update ? 1 : 0;
        updates += access.update ? 1 : 0;
    }
    // The last access that reads the flag finds it set, and one update may reset it.
    const int most = reads - 1, least = updates > 0 ? most - 1 : most, got = polls.values()[last];
    test.demand(
        "polls", kit::unless(way == Way::wait || reads == 0, kit::between(got, least, most)),
        "block 15 had " + std::to_string(most) + " failed polls, but `polls[15]` is " + std::to_string(got) +
            ": count each poll that finds 0; if your blocks call wait(), return Way::wait" + kit::task(1, 3));
}
#endif

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("10_memory_model", "spin_to_wait", argc, argv);
    grader.task(1, {kit::Diagnosis::second_call});
    grader.task(2, kit::About().between(1, 2));  // the total is written in Task 2 and passed on too early
    grader.task(2, kit::About::writers_half());
    grader.task(1, kit::About::readers_half());
#ifdef KIT_CPU
    constexpr double seconds = 3;  // processor time; the executor stops a kernel after a third of it
#else
    constexpr double seconds = 10;
#endif
    const kit::CaseOptions waits{
        seconds, false,
        "a block waits for a flag that is never set: set the flag of each block, and notify after it"};
#ifdef KIT_CPU
    grader.add("what a thread does, in order", judge_order, waits);
    grader.add("16 blocks, the last one starts first", judge_count, waits);
#endif
    const auto add = [&](const char* name, const std::vector<std::pair<int, int>>& calls) {
        grader.add(
            name, [calls](kit::Case& test) { chain(test, calls); }, waits);
    };
    add("one block", {{1000, 1}});
    add("two blocks", {{1000, 2}});
    add("16 blocks, n=5003", {{5003, 16}});
    add("more blocks than values", {{5, 12}});
    add("no values", {{0, 3}});
    add("several calls, the same flags", {{3000, 9}, {100, 4}, {3000, 9}});
#ifndef KIT_CPU
    grader.add("64 blocks, n=1000003", [](kit::Case& test) { chain(test, {{1000003, kMaxChain}}); });
#endif
    return grader.run();
}

// Grades 10_memory_model/spin_to_wait: the running totals, the flags after the call, and how many times waiting blocks poll.
#include <string>

#include "01_error_handling/failing_calls.hpp"
#include "10_memory_model/10_memory_model.hpp"
#include "grader.cuh"

namespace {

using memory_model::kMaxChain;

/// Explains a race on a flag with a plain access on one side.
kit::Said why_it_races(const kit::facts::Finding& found) {
    if (found.memory.name != "passed" || found.accesses.size() != 2 ||
        found.accesses[0].atomic == found.accesses[1].atomic)
        return "";
    return found.accesses[found.accesses[0].atomic ? 1 : 0].write
               ? "a plain store sets the flag that another block waits for: set it with an atomic" +
                     kit::task(2)
               : "a plain load polls the flag, which the compiler may execute only once: use wait()" +
                     kit::task(1);
}

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
        test.call([&, n = n, blocks = blocks] {
            memory_model::spin_to_wait(in.data(), n, blocks, passed.data(), totals.data());
        });
#ifdef KIT_CPU
        // Allows one load of each value and total and, for each flag, about two polls per block of the launch.
        const std::uint64_t loads = kit::cpu::counters().global_loads;
        const std::uint64_t most = static_cast<std::uint64_t>(n) + blocks + 2 * blocks * (blocks + 8);
        test.demand(
            "loads", kit::at_most(loads, most),
            std::to_string(loads) + " loads for " + std::to_string(n) + " values and " +
                std::to_string(blocks) +
                " blocks, because waiting blocks poll without a pause: call wait(), which lets them sleep" +
                kit::task(1));
        const std::uint64_t notifies = kit::cpu::counters().notifies;
        test.demand("notifications", kit::unless(!loads, kit::at_least(notifies, blocks - 1)),
                    std::to_string(notifies) + " notifications for " + std::to_string(blocks - 1) +
                        " flags: call notify_one() after each store, or a block that sleeps in wait() may "
                        "sleep forever" +
                        kit::task(2));
#endif
        std::vector<int> want(blocks);
        const int share = kit::ceil_div(n, blocks);
        int sum = 0;
        for (int b = 0, i = 0; b < blocks; ++b) {
            for (; i < n && i < (b + 1) * share; ++i) sum += values[i];
            want[b] = sum;
        }
        test.expect(totals, want);
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
    test.call([&] { memory_model::spin_to_wait(in.data(), n, blocks, passed.data(), totals.data()); });
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
    const kit::CaseOptions waits{seconds, false, "a block waits for a flag that is never set"};
#ifdef KIT_CPU
    grader.add("what a thread does, in order", judge_order, waits);
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
    error_handling::check_failing_calls(grader, argc, argv, {"two blocks"});
    return grader.run();
}

// Grades 10_memory_model/grid_barrier: many rounds in one launch, with blocks that are resident at the same time.
#include <grader/devices.hpp>
#include <string>

#include "10_memory_model/10_memory_model.hpp"
#include "grader.cuh"

namespace {

using memory_model::kBlock;

const kit::Said kWrongArray =
    "the only round reads `even`, but your launch passes a different array: pass `even` as the first one" +
    kit::task(3);
bool launched_badly = false;  ///< not cooperative or too many blocks: blocks may wait for long

/// A small device, because the executor is fast enough for the blocks that it holds.
struct SmallDevice {
    const kit::CurrentDevice device{kit::devices().back()};
};

#ifdef KIT_CPU
/// Judges the launch, with a single round so that no block waits.
void judge_launch(kit::Case& test) {
    const SmallDevice small;
    for (const int n : {100, 3001}) {
        const int needed = kit::ceil_div(n, kBlock);
        auto arrivals = test.inout<unsigned int>("barrier.arrivals", {0});
        auto even = test.inout("even", kit::integers<int>(test.random(), n, 0, 999));
        auto odd = test.output<int>("odd", n);
        test.explain(kit::Diagnosis::uninitialised, kWrongArray);
        const kit::Counts counts = test.counts(
            [&] { memory_model::grid_barrier(even.data(), odd.data(), n, 1, {arrivals.data()}); });
        if (!counts.counted) return test.check(true, "");  // no kernel ran, or the backend does not count
        const auto blocks = static_cast<int>(counts.kernels[0].blocks);
        const std::string told = std::to_string(blocks) + (blocks == 1 ? " block" : " blocks") + " of " +
                                 std::to_string(kBlock) + " threads for " + kit::count_of(n, "value") + ": ";
        launched_badly = launched_badly || !counts.kernels[0].is_cooperative || blocks > needed;
        test.demand("cooperative launch", counts.kernels[0].is_cooperative,
                    "the launch is not cooperative, so its blocks need not all be resident "
                    "together: use cudaLaunchCooperativeKernel, which refuses a grid that is too large" +
                        kit::task(3),
                    kit::Diagnosis::part);
        test.demand("blocks", kit::at_most(blocks, needed),
                    told + "launch at most as many blocks as the values need, which is " +
                        std::to_string(needed) + kit::task(2),
                    kit::Diagnosis::part);
        test.demand(
            "blocks", kit::unless(needed == 1, kit::at_least(blocks, 2)),
            told + "launch several blocks, up to the number that can be resident together" + kit::task(2),
            kit::Diagnosis::part);
    }
}
#endif

void smooth(kit::Case& test, const std::vector<std::pair<int, int>>& calls) {
    if (launched_badly) test.skip("not run: with this launch blocks may wait very long for each other");
    const SmallDevice small;
    auto arrivals = test.inout<unsigned int>("barrier.arrivals", {0});
    for (const auto& [n, rounds] : calls) {
        test.explain(kit::Diagnosis::uninitialised, rounds == 1 ? kWrongArray : "");
        std::vector<int> now = kit::integers<int>(test.random(), n, 0, 999);
        auto even = test.inout("even", now);
        auto odd = test.output<int>("odd", n);
        arrivals.reset();
#ifdef KIT_CPU
        kit::cpu::reset_counters();
#endif
        test.call([&, n = n, rounds = rounds] {
            memory_model::grid_barrier(even.data(), odd.data(), n, rounds, {arrivals.data()});
        });
        std::vector<int> next(n);
        for (int r = 0; r < rounds; ++r) {
            for (int i = 0; i < n; ++i) next[i] = (now[(i + n - 1) % n] + now[(i + 1) % n]) % 1000;
            now.swap(next);
        }
        test.expect(rounds % 2 == 0 ? even : odd, now);
        if (rounds > 0) test.by_kernels(kit::named_task(3));
#ifdef KIT_CPU
        const kit::cpu::Counters seen = kit::cpu::counters();
        test.demand("kernels", kit::at_most(seen.kernels, 1),
                    kit::count_of(seen.kernels, "kernel", "were") + " launched for " +
                        kit::count_of(rounds, "round") +
                        ": run all rounds in one launch, with the barrier between them" + kit::task(3),
                    kit::Diagnosis::part);
        const std::uint64_t barriers =
            rounds > 1 && seen.blocks > 1 ? static_cast<std::uint64_t>(rounds - 1) : 0;
        test.method("arrivals", seen.atomics >= barriers * seen.blocks,
                    {"a hand-written barrier of the grid",
                     "your blocks execute " + kit::count_of(seen.atomics, "atomic update") + " for " +
                         kit::count_of(barriers, "barrier") + " of " + kit::count_of(seen.blocks, "block") +
                         ", so a different barrier orders them, such as grid.sync()",
                     "The barrier shows what grid.sync() does: each block releases its writes when it "
                     "arrives, and acquires those of the others when it leaves.",
                     1});
#endif
    }
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("10_memory_model", "grid_barrier", argc, argv);
    grader.task(1, {kit::Diagnosis::race, kit::Diagnosis::wrong_value, kit::Diagnosis::second_call});
    grader.task(1, kit::About::either_half());
    grader.task(1, {kit::Diagnosis::timeout});
    grader.task(3, {kit::Diagnosis::cuda_error, kit::Diagnosis::crash});
    grader.task(2, kit::About().rule(kit::facts::Rule::grid_without_blocks));
    grader.task(
        2, kit::About().rule(kit::facts::Rule::blocks_cannot_meet));  // more blocks than the device holds
    grader.task(2, kit::About().error("cudaErrorCooperativeLaunchTooLarge"));
#ifdef KIT_CPU
    constexpr double seconds = 3;  // processor time; the executor stops a kernel after a third of it
#else
    constexpr double seconds = 10;
#endif
    const kit::CaseOptions waits{
        seconds, false,
        "a block waits for a count of arrivals that it never reads: check by how much each block increases "
        "the count, and read it with an atomic, because the compiler may execute a plain load only once"};
#ifdef KIT_CPU
    grader.add("the launch", judge_launch);
#endif
    grader.add(
        "one round",
        [](kit::Case& test) {
            smooth(test, {{1000, 1}});
        },
        waits);
    grader.add(
        "no round",
        [](kit::Case& test) {
            smooth(test, {{1000, 0}});
        },
        waits);
    grader.add(
        "one block, 5 rounds",
        [](kit::Case& test) {
            smooth(test, {{100, 5}});
        },
        waits);
    grader.add(
        "n=3001, 8 rounds",
        [](kit::Case& test) {
            smooth(test, {{3001, 8}});
        },
        waits);
    grader.add(
        "several calls, one barrier",
        [](kit::Case& test) {
            smooth(test, {{2000, 3}, {300, 4}, {2000, 6}});
        },
        waits);
#ifdef KIT_CPU
    // The values need 163 blocks. The device holds 160 blocks of 256 threads, but would hold 640 blocks of 32 threads.
    grader.add("n=41503, 2 rounds",
               [](kit::Case& test) {
                   smooth(test, {{41503, 2}});
               },
               {15, true, waits.late});
#else
    // More values than a device holds threads.
    grader.add("n=2000003, 20 rounds",
               [](kit::Case& test) {
                   smooth(test, {{2000003, 20}});
               },
               {60, true, waits.late});
#endif
    return grader.run();
}

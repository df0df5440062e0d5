// Grades 11_async_copy/barrier_token: weighted sums, with one phase of the barrier per tile.
// sanitizer.synccheck: it mistakes the arrival of a copy for an arrival of the thread, and reports that no wait precedes the next arrival
#include "11_async_copy/rings.hpp"

using namespace staging_test;

namespace {

const kit::Said kSetUp =
    "let one thread initialize the barrier, and call __syncthreads() before the other threads use it" +
    kit::task(1);

/// Explains an old token in a block that has one tile.
kit::Said why_phases_end(const kit::facts::Finding& found) {
    return found.rule == kit::facts::Rule::old_token
               ? "each thread arrives once for the only tile of its block, and more than one phase has "
                 "ended: let init() expect one arrival of each thread" +
                     kit::task(1)
               : "";
}

/// Demands work during the copy, for a window whose weights need more than one thread, so that the last thread does not matter.
void demand_work([[maybe_unused]] kit::Case& test, [[maybe_unused]] int window) {
#ifdef KIT_CPU
    if (window < 2 * staging::kBlock / 3) return;
    const auto stores = kit::cpu::counters().stores_during_copies;
    test.demand("work during the copy", kit::at_least(stores, 1),
                "no thread stores a weight while the tile is in flight: compute the weights before you wait "
                "for the copy" +
                    kit::task(2));
#endif
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("11_async_copy", "barrier_token", argc, argv);
    grader.task(1, {kit::Diagnosis::barrier});
    grader.task(2, {kit::Diagnosis::uninitialised, kit::Diagnosis::out_of_bounds, kit::Diagnosis::part,
                    kit::Diagnosis::wrong_value, kit::Diagnosis::first_block_only,
                    kit::Diagnosis::block_offset, kit::Diagnosis::shifted, kit::Diagnosis::tail});
    grader.task(3, {kit::Diagnosis::race});
    grader.task(1, kit::About().on("barrier"));
    grader.task(1, kit::About().on("room"));  // the barrier's memory, if a submission declares bytes
    grader.task(1, kit::About().function("cuda::barrier::wait()"));  // expects a different number of arrivals
    grader.task(2, kit::About().function("cuda::barrier::wait()"));
    grader.task(1, kit::About().function("cuda::barrier::arrive_and_wait()"));
    grader.task(2, kit::About().function("cuda::barrier::arrive_and_wait()"));
    grader.task(3, kit::About().fix(kit::facts::Fix::copys_begin).fix(kit::facts::Fix::copys_end));
    for (std::size_t n : {0, 1, 1000, 1024, 1025, 3000, 5 * 1024}) {
        for (int blocks : {1, 2, 7}) {
            grader.add(
                "n=" + std::to_string(n) + ", " + kit::count_of(blocks, "block"),
                [n, blocks](kit::Case& test) {
                    test.explain_places(kSetUp);
                    if (n <= blocks * std::size_t{staging::kTile})
                        test.explain(Diagnosis::barrier, why_phases_end);
                    judge(test, n, weighted_sums, 7, kit::named_task(2),
                          [blocks](const unsigned int* in, std::size_t count, unsigned int* out, int window) {
                              staging::barrier_token(in, count, out, window, blocks);
                          });
                });
        }
    }
    // The largest window takes 2 million products: one run is enough, because the other cases run in several orders.
    for (int window : {1, 300, 1024}) {
        grader.add("n=2100, window " + std::to_string(window),
                   [window](kit::Case& test) {
                       test.explain_places(kSetUp);
                       judge(test, 2100, weighted_sums, window, kit::named_task(2),
                             [](const unsigned int* in, std::size_t count, unsigned int* out, int width) {
                                 staging::barrier_token(in, count, out, width, 2);
                             });
                       demand_work(test, window);
                   },
                   {10, window == 1024});
    }
    return grader.run();
}

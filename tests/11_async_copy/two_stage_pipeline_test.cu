// Grades 11_async_copy/two_stage_pipeline: one tile after another, with the next tile in flight while the current one is summed.
// sanitizer.synccheck: it mistakes the arrival of a copy for an arrival of the thread, and reports that no wait precedes the next arrival
#include "01_error_handling/failing_calls.hpp"
#include "11_async_copy/rings.hpp"
#include "last_blocks.hpp"

using namespace staging_test;

int main(int argc, char** argv) {
    kit::Grader grader("11_async_copy", "two_stage_pipeline", argc, argv);
    grader.task(1, {kit::Diagnosis::uninitialised, kit::Diagnosis::out_of_bounds, kit::Diagnosis::barrier});
    for (const int task : {1, 2})
        grader.task(task, {kit::Diagnosis::timeout});  // a stage is never free, or full
    grader.task(1, {kit::Diagnosis::first_block_only, kit::Diagnosis::block_offset, kit::Diagnosis::shifted});
    grader.task(2, {kit::Diagnosis::part, kit::Diagnosis::wrong_value, kit::Diagnosis::tail,
                    kit::Diagnosis::not_written});
    grader.task(3, {kit::Diagnosis::race});
    grader.task(1, kit::About().fix(
                       kit::facts::Fix::copys_begin));  // the stage is not acquired, or released too early
    grader.task(3, kit::About().fix(kit::facts::Fix::copys_begin));
    grader.task(3, kit::About().fix(kit::facts::Fix::copys_end));
    for (int tiles : {0, 1, 2, 3, 7}) {
        for (int blocks : {1, 2, 5}) {
            for (int rest : {0, 17}) {
                const std::size_t n = std::size_t(tiles) * staging::kTile + rest;
                grader.add(
                    "n=" + std::to_string(n) + ", " + kit::count_of(blocks, "block"),
                    [n, blocks](kit::Case& test) {
                        test.explain(kit::Diagnosis::barrier, [=](const kit::facts::Finding&) {
                            return why_it_waits(
                                n,
                                "a stage is acquired or waited for in a round that does not have it: have at "
                                "most 2 stages started and not released" +
                                    kit::task(2),
                                "all copies have started, but no producer_commit() has closed their stage: "
                                "call it after the copies" +
                                    kit::task(1));
                        });
                        judge(
                            test, n, window_sums, 3, kit::named_task(1),
                            [blocks](const unsigned int* in, std::size_t count, unsigned int* out,
                                     int window) {
                                staging::two_stage_pipeline(in, count, out, window, blocks);
                            },
                            kit::named_task(2));
                        demand_overlap(test, n, blocks);
                    });
            }
        }
    }
    kit::tell_not_tried(grader, "n=3072, 2 blocks", 32, "elements");
    error_handling::check_failing_calls(grader, argc, argv, {"n=1024, 1 block"});
    return grader.run();
}

// Grades 11_async_copy/three_stage_pipeline: three stages, wide copies, and one barrier per tile.
#include "01_error_handling/failing_calls.hpp"
#include "11_async_copy/rings.hpp"
#include "last_blocks.hpp"

using namespace staging_test;

namespace {

void demand_wide([[maybe_unused]] kit::Case& test, [[maybe_unused]] std::size_t n) {
#ifdef KIT_CPU
    const auto copies = kit::cpu::counters().async_copies;
    const std::size_t most = n / 4 + n % 4;
    test.demand(
        "wide", kit::at_most(copies, most),
        kit::count_of(copies, "copy") + " for " + kit::count_of(n, "element") + ", but " +
            std::to_string(most) +
            " are enough: copy four elements at a time, and single ones only at the end of the last tile" +
            kit::task(1));
#endif
}

void demand_one_barrier([[maybe_unused]] kit::Case& test, [[maybe_unused]] std::size_t n,
                        [[maybe_unused]] std::size_t blocks) {
#ifdef KIT_CPU
    const auto barriers = kit::cpu::counters().block_barriers;
    const std::size_t tiles = kit::ceil_div(n, std::size_t{staging::kTile});
    test.demand(
        "one barrier", kit::at_most(barriers, tiles + blocks),
        "the blocks meet at " + kit::count_of(barriers, "barrier") + " for " + kit::count_of(tiles, "tile") +
            ": choose an order of the four steps in which one barrier per tile is enough" + kit::task(3));
#endif
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("11_async_copy", "three_stage_pipeline", argc, argv);
    grader.task(1, {kit::Diagnosis::uninitialised, kit::Diagnosis::out_of_bounds, kit::Diagnosis::part,
                    kit::Diagnosis::tail});
    grader.task(2, {kit::Diagnosis::first_block_only, kit::Diagnosis::block_offset});
    grader.task(3, {kit::Diagnosis::race, kit::Diagnosis::barrier, kit::Diagnosis::wrong_value,
                    kit::Diagnosis::not_written, kit::Diagnosis::timeout});
    for (const int task : {1, 3}) grader.task(task, kit::About().fix(kit::facts::Fix::copys_end));
    for (const int task : {1, 2}) grader.task(task, kit::About().demand("asynchronous"));
    for (int tiles : {0, 1, 2, 3, 8}) {
        for (int blocks : {1, 2, 5}) {
            for (int rest : {0, 18}) {
                const std::size_t n = std::size_t(tiles) * staging::kTile + rest;
                grader.add("n=" + std::to_string(n) + ", " + kit::count_of(blocks, "block"),
                           [n, blocks](kit::Case& test) {
                               judge(
                                   test, n, window_sums, 3, kit::named_task(1),
                                   [blocks](const unsigned int* in, std::size_t count, unsigned int* out,
                                            int window) {
                                       staging::three_stage_pipeline(in, count, out, window, blocks);
                                   },
                                   kit::named_task(2));
                               demand_overlap(test, n, blocks);
                               demand_wide(test, n);
                               demand_one_barrier(test, n, blocks);
                           });
            }
        }
    }
    kit::tell_not_tried(grader, "n=3072, 2 blocks", 32, "elements");
    error_handling::check_failing_calls(grader, argc, argv, {"n=1024, 1 block"});
    return grader.run();
}

// Grades 07_reduction/warp_shuffle: block sums of kTile values and, on the executor, that it uses shuffles
// and not one barrier per step.
#include "07_reduction/block_sums.hpp"

namespace {

#ifdef KIT_CPU
void count_operations(kit::Case& test) {
    constexpr int blocks = 12;
    constexpr int n = blocks * reduction::kTile;
    auto values = kit::integers<float>(test.random(), n, -1000, 1000);
    auto in = test.input("in", values);
    auto block_sums = test.output<float>("block_sums", blocks);
    kit::cpu::reset_counters();
    test.call([&] { reduction::warp_shuffle(in.data(), n, block_sums.data()); });
    const kit::cpu::Counters counters = kit::cpu::counters();
    // A reduce of cooperative groups counts as one collective, no matter how many shuffles it uses.
    test.demand(
        "shuffles", kit::at_least(counters.warp_collectives, blocks * (reduction::kBlock / 32)),
        "your kernel executes less than one shuffle per warp: sum the values of each warp by shuffles");
    test.demand("barriers", kit::at_most(counters.block_barriers, 2 * blocks),
                "a block waits " + kit::count_of(counters.block_barriers / blocks, "time") +
                    " at a barrier: use one barrier, between the sums of the warps and their sum");
    test.expect(block_sums, reduction_test::Reference(values, reduction::kTile).sums, kit::exact());
}
#endif

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("07_reduction", "warp_shuffle", argc, argv);
    grader.task(1, {kit::Diagnosis::wrong_value, kit::Diagnosis::barrier});
    grader.task(2, kit::About().has("returned"));
    grader.task(2, {kit::Diagnosis::race, kit::Diagnosis::nan, kit::Diagnosis::not_written});
    reduction_test::add_cases(grader, reduction::warp_shuffle, reduction::kTile);
#ifdef KIT_CPU
    grader.add("shuffles and barriers, counted", count_operations);
#endif
    return grader.run();
}

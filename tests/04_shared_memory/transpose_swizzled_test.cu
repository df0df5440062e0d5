// Grades 04_shared_memory/transpose_swizzled: any shape, and no bank conflicts in a tile without padding.
// sanitizer.case: x
#include "01_error_handling/failing_calls.hpp"
#include "04_shared_memory/transposes.hpp"

namespace {

using shared_memory_test::kTile;

void demand_no_padding([[maybe_unused]] kit::Case& test, [[maybe_unused]] const kit::Counts& counts,
                       [[maybe_unused]] kit::Way way) {
#ifdef KIT_CPU
    if (way == kit::Way::stores) return;  // once is enough
    constexpr std::size_t tile = sizeof(float) * kTile * kTile;
    for (const kit::cpu::KernelProfile& kernel : counts.kernels)
        test.demand("bytes of shared memory", kit::at_most(kernel.shared_bytes, tile),
                    kit::subject(kernel.kernel) + " has " + kit::count_of(kernel.shared_bytes, "byte") +
                        " of shared memory per block, but a tile without padding has " +
                        std::to_string(tile) + ": permute each row instead of making it longer" +
                        kit::task(1));
#endif
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("04_shared_memory", "transpose_swizzled", argc, argv);
    shared_memory_test::add_without_conflicts(
        grader, shared_memory::transpose_swizzled, {},
        "two elements of a row share a place: let place() return a different index for each, from 0 to kTile "
        "- 1" +
            kit::task(1),
        demand_no_padding);
    error_handling::check_failing_calls(grader, argc, argv, {"5 x 3"});
    return grader.run();
}

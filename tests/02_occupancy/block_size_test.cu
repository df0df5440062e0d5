// Grades 02_occupancy/block_size: the shared memory of a block, the block size that the runtime suggests, the grid, and the counts.
#include <algorithm>

#include "02_occupancy/devices.hpp"

namespace {

using namespace occupancy_test;
using occupancy::kStates;
using occupancy::Shape;

std::size_t shared_for(int block) {
    return static_cast<std::size_t>(block * kStates) * sizeof(unsigned int);
}

/// Finds the largest of the block sizes that keep the most threads resident, and the number of blocks of a full device.
Shape best(kit::Case& test, bool with_shared) {
    const void* kernel = reinterpret_cast<const void*>(occupancy::states_kernel());
    Shape shape = {0, 0};
    int most = 0;
    for (int block = 1024; block > 0; block -= 32) {
        int blocks = 0;
        test.cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block,
                                                                with_shared ? shared_for(block) : 0));
        if (blocks * block <= most) continue;
        most = blocks * block;
        shape = {blocks * properties(test).multiProcessorCount, block};
    }
    return shape;
}

void expect_shape(kit::Case& test, const Shape& got, std::size_t n) {
    Shape want = best(test, true);
    const kit::Said why =
        kit::Said(got.block == best(test, false).block
                      ? ": that is the block for a kernel without shared memory, so pass the bytes for "
                        "each block size"
                      : ": choose the size that keeps the most threads resident") +
        kit::task(2);
    test.check(got.block == want.block, "the block has " + kit::count_of(got.block, "thread") +
                                            ", expected " + std::to_string(want.block) + why);
    if (got.block != want.block) return;
    const std::size_t needed = kit::ceil_div(n, static_cast<std::size_t>(want.block));
    want.grid = static_cast<int>(std::min(needed, static_cast<std::size_t>(want.grid)));
    test.check(got.grid == want.grid,
               "the grid has " + kit::count_of(got.grid, "block") + ", expected " +
                   std::to_string(want.grid) + " for " + kit::count_of(n, "value") +
                   ": launch as many blocks as the values need, but no more than the device holds" +
                   kit::task(3));
}

void judge(kit::Case& test, const std::string& device, int n) {
    const CurrentDevice current(device);
    const auto states = kit::integers<unsigned char>(test.random(), static_cast<std::size_t>(n), 0, 63);
    std::vector<unsigned int> want(kStates);
    for (unsigned char state : states)
        if (state < kStates) ++want[state];
    auto in = test.input("states", states);
    auto counts = test.output<unsigned int>("counts", kStates);
    const Shape shape = test.call(
        [&] { return occupancy::count_states(in.data(), static_cast<std::size_t>(n), counts.data()); });
    if (n > 0) expect_shape(test, shape, static_cast<std::size_t>(n));
    test.expect(counts, want, kit::exact());
}

void shared_of_blocks(kit::Case& test) {
    for (int block : {1, 32, 96, 224, 1024}) {
        const std::size_t got = occupancy::states_shared(block);
        test.check(got == shared_for(block),
                   "states_shared(" + std::to_string(block) + ") is " + std::to_string(got) + ", expected " +
                       std::to_string(shared_for(block)) + ": return bytes, not counters" + kit::task(1));
    }
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("02_occupancy", "block_size", argc, argv);
    grader.task(1, {kit::Diagnosis::out_of_bounds});
    grader.task(2, {kit::Diagnosis::cuda_error, kit::Diagnosis::exited});
    grader.task(3, {kit::Diagnosis::cuda_error, kit::Diagnosis::exited, kit::Diagnosis::out_of_bounds,
                    kit::Diagnosis::wrong_value});
    for (const int task : {1, 3}) grader.task(task, kit::About().diagnosis(kit::Diagnosis::out_of_bounds));
    grader.task(2, kit::About().rule(kit::facts::Rule::too_much_dynamic_shared));  // the block is too large
    grader.add("the shared memory of a block", shared_of_blocks);
    for (const std::string& device : devices())
        for (int n : device == devices()[0] ? std::vector<int>{0, 1, 224, 225, 3001} : std::vector<int>{3001})
            grader.add("n=" + std::to_string(n) + ", " + device,
                       [=](kit::Case& test) { judge(test, device, n); });
    kit::CaseOptions once;
    once.seconds = 30;
    once.once = true;
    grader.add(
        "more values than the device has threads",
        [](kit::Case& test) {
#ifdef KIT_CPU
            judge(test, "t4", 40 * 320 + 12345);
#else
            judge(test, "this GPU", 3000017);
#endif
        },
        once);
    return grader.run();
}

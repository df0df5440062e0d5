// 06_histogram/byte_histogram: 256 bins, and a histogram per warp.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests byte_histogram.cu
//        ../../tests/06_histogram/byte_histogram_test.cu -o byte_histogram
// Run:   ./byte_histogram
//
//   v5  byte_histogram_v5: like v4, but with 256 bins, and with one private histogram for each warp of a block

#include <algorithm>

#include "06_histogram/06_histogram.hpp"
#include "kit.cuh"

namespace histogram {

// v5: like v4, but each warp has its own histogram: no two warps of a block ever add to the same counter.
// Mapping : grid-stride; warp w of a block counts in own_bins[w].
// Cost    : 1 atomic in shared memory per byte; 8 KB per block to clear and to add up; 256 global atomics.
// Requires: the bins are 0 when the kernel starts; the block has kBlock threads.
// Next    : still a 1-byte load and an atomic per value, and lanes that wait for each other; see v9 in aggregated.cu.
// [v5]
__global__ void byte_histogram_v5(const unsigned char* data, std::size_t n, unsigned int* bins) {
    static_assert(kCopies * 32 == kBlock, "one private histogram per warp");
    __shared__ unsigned int own_bins[kCopies][kByteBins];

    // TODO(1): Set all kCopies * kByteBins counters to 0. There are more counters than threads. 4 lines.
    KIT_TODO(1, own_bins);

    // TODO(2): Count in the histogram of your warp, in a grid-stride loop as before. About 4 lines.
    KIT_TODO(2, data, n);

    // TODO(3): Add up the copies, one bin per thread, and add each sum to the bin of the grid. About 6 lines.
    KIT_TODO(3, bins);
}
// [/v5]

void byte_histogram(const unsigned char* data, std::size_t n, unsigned int* bins) {
    CUDA_CHECK(cudaMemsetAsync(bins, 0, kByteBins * sizeof(unsigned int)));
    std::size_t wanted = kit::ceil_div(n, std::size_t{kBlock} * 64);
    int blocks = static_cast<int>(std::clamp<std::size_t>(wanted, 1, kMaxBlocks));
    byte_histogram_v5<<<blocks, kBlock>>>(data, n, bins);
    CUDA_CHECK_LAUNCH();
}

}  // namespace histogram

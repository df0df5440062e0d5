// 06_histogram/byte_histogram: all 256 values of a byte, and one private histogram for each warp.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests byte_histogram.cu
//        ../../tests/06_histogram/byte_histogram_test.cu -o byte_histogram
// Run:   ./byte_histogram
//
//   v5  byte_histogram_v5: like v4, but 256 bins, and as many private histograms per block as it has warps

#include <algorithm>

#include "06_histogram/06_histogram.hpp"
#include "kit.cuh"

namespace histogram {

// v5: like v4, but warps do not share a histogram: no two warps of a block meet at a counter.
// Mapping : grid-stride; warp w of a block counts in own_bins[w].
// Cost    : 1 atomic in shared memory per byte; 8 KB per block to clear and to add up; 256 global atomics.
// Requires: the bins are 0 when the kernel starts; the block has kBlock threads.
// Next    : one load of one byte and one atomic per value, and lanes that may meet; see v9 in aggregated.cu.
// [v5]
__global__ void byte_histogram_v5(const unsigned char* data, std::size_t n, unsigned int* bins) {
    static_assert(kCopies * 32 == kBlock, "one private histogram per warp");
    __shared__ unsigned int own_bins[kCopies][kByteBins];

    // TODO(1): Set all kCopies * kByteBins counters to 0; there are more of them than threads. 5 lines.
    KIT_TODO(1, own_bins);

    // TODO(2): Count in the histogram of your warp. Grid-stride, as before. About 4 lines.
    KIT_TODO(2, data, n);

    // TODO(3): Add up the copies, one bin per thread, and add the sum to the bin of the grid. About 6 lines.
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

// 06_histogram/privatized: a histogram per block, in shared memory.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests privatized.cu
//        ../../tests/06_histogram/privatized_test.cu -o privatized
// Run:   ./privatized
//
//   v4  privatized_v4: like v3, but the letters are counted in shared memory; 7 global atomics per block

#include <algorithm>

#include "06_histogram/06_histogram.hpp"
#include "kit.cuh"

namespace histogram {

namespace {

/// Returns 0 for a-d, ..., 6 for y-z, and -1 for everything else.
__device__ int letter_group(char c) {
    int letter = c - 'a';
    return letter >= 0 && letter < 26 ? letter / 4 : -1;
}

}  // namespace

// v4: like v3, but each block counts in the shared memory of its multiprocessor, and adds to the grid's bins at the end.
// Mapping : grid-stride; one histogram of 7 bins per block.
// Cost    : 1 atomic in shared memory per letter; 7 in global memory per block; 2 barriers.
// Requires: the bins are 0 when the kernel starts; the block may have fewer threads than there are bins.
// Next    : still a 1-byte load and an atomic per letter; see v8 in aggregated.cu, and v5 in byte_histogram.cu.
// [v4]
__global__ void privatized_v4(const char* text, std::size_t n, unsigned int* bins) {
    __shared__ unsigned int own_bins[kLetterBins];

    // TODO(1): Set all private bins to 0, whatever blockDim.x is, and let no thread count before that. 2 lines.
    KIT_TODO(1, own_bins);

    // TODO(2): Count as in v3, but in the private bins. About 6 lines.
    KIT_TODO(2, text, n, letter_group);

    // TODO(3): When the whole block has counted, add each private bin to the same bin of the grid. 4 lines.
    KIT_TODO(3, bins);
}
// [/v4]

void privatized(const char* text, std::size_t n, unsigned int* bins, int threads) {
    CUDA_CHECK(cudaMemsetAsync(bins, 0, kLetterBins * sizeof(unsigned int)));
    std::size_t wanted = kit::ceil_div(n, static_cast<std::size_t>(threads) * 64);
    int blocks = static_cast<int>(std::clamp<std::size_t>(wanted, 1, kMaxBlocks));
    privatized_v4<<<blocks, threads>>>(text, n, bins);
    CUDA_CHECK_LAUNCH();
}

}  // namespace histogram

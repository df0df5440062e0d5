// 06_histogram/interleaved: the letters of a text, with coalesced reads.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests interleaved.cu
//        ../../tests/06_histogram/interleaved_test.cu -o interleaved
// Run:   ./interleaved
//
//   v3  interleaved_v3: like v2, but a warp reads 32 neighbouring characters

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

// v3: like v2, but the threads of the grid take the characters in turn.
// Mapping : thread t of T takes characters t, t + T, t + 2T, ...
// Cost    : coalesced: a warp's 32 characters are one sector; still 1 atomic in global memory per letter.
// Requires: the bins are 0 when the kernel starts.
// Next    : contention: all threads of the GPU add to 7 addresses; see v4 in privatized.cu.
// [v3]
__global__ void interleaved_v3(const char* text, std::size_t n, unsigned int* bins) {
    // TODO(1): Write a grid-stride loop over the text, with indices that can exceed 2^31. Perform one atomic addition
    // per letter. About 6 lines.
    KIT_TODO(1, text, n, bins, letter_group);
}
// [/v3]

void interleaved(const char* text, std::size_t n, unsigned int* bins) {
    // TODO(2): Clear the bins (cudaMemsetAsync), choose at least 1 and at most kMaxBlocks blocks, launch the kernel,
    // and check the launch. About 5 lines.
    KIT_TODO(2, text, n, bins);
}

}  // namespace histogram

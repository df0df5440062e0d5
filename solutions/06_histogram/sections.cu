// 06_histogram/sections: the letters of a text, one section per thread.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests sections.cu
//        ../../tests/06_histogram/sections_test.cu -o sections
// Run:   ./sections
//
//   v1  sections_v1_racy: each thread increments the counters as if it were alone (given, and wrong)
//   v2  sections_v2_atomic: like v1, but every increment is one atomic addition

#include <algorithm>

#include "06_histogram/06_histogram.hpp"
#include "kit.cuh"

namespace histogram {

namespace {

/// Returns which of the kLetterBins groups a character belongs to: 0 for a-d, ..., 6 for y-z. Returns -1 if it is not a
/// lower-case letter.
// [letter_group]
__device__ int letter_group(char c) {
    // TODO(1): Return the number of the letter, counted from 'a', divided by 4. Return -1 for everything else. 2 lines.
    // BEGIN SOLUTION 1
    if (c < 'a' || c > 'z') return -1;
    return (c - 'a') / 4;
    // STARTER KIT_TODO(1, c);
    // STARTER return -1;
    // END SOLUTION 1
}
// [/letter_group]

struct Section {
    std::size_t begin, end;  ///< `end` is not part of the section
};

/// Returns the section of one of `threads` threads. Together, the sections cover 0 to n - 1, each index once.
// [section_of]
__device__ Section section_of(std::size_t thread, std::size_t threads, std::size_t n) {
    // TODO(2): Make sections of n / threads characters, rounded up. The last sections may be shorter, or empty:
    // neither begin nor end exceeds n. About 4 lines.
    // BEGIN SOLUTION 2
    std::size_t length = kit::ceil_div(n, threads);
    std::size_t begin = thread * length;
    if (begin > n) begin = n;
    return {begin, n - begin < length ? n : begin + length};
    // STARTER KIT_TODO(2, thread, threads, n);
    // STARTER return {0, 0};
    // END SOLUTION 2
}
// [/section_of]

/// Returns enough blocks for 64 characters per thread, but at least 1 and at most kMaxBlocks.
int blocks_for(std::size_t n) {
    std::size_t blocks = kit::ceil_div(n, std::size_t{kBlock} * 64);
    return static_cast<int>(std::clamp<std::size_t>(blocks, 1, kMaxBlocks));
}

}  // namespace

// v1: one section per thread, and an increment that reads, adds and writes.
// Mapping : thread t takes characters t * length to (t + 1) * length - 1.
// Cost    : 1 uncoalesced read per character: a sector for each thread; 1 read and 1 write per letter.
// Requires: nothing, but it is wrong: two threads can read the same count, and one of the increments is lost.
// Next    : turn the increment into a single operation; see v2.
// [v1]
__global__ void sections_v1_racy(const char* text, std::size_t n, unsigned int* bins) {
    std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    Section mine = section_of(thread, std::size_t{gridDim.x} * blockDim.x, n);
    for (std::size_t i = mine.begin; i < mine.end; ++i) {
        int group = letter_group(text[i]);
        if (group >= 0) bins[group] = bins[group] + 1;
    }
}
// [/v1]

// v2: like v1, but the increment is one atomic operation, which the L2 cache performs.
// Mapping : as v1.
// Cost    : 1 read per character; 1 atomic in global memory per letter, on 7 addresses.
// Requires: the bins are 0 when the kernel starts.
// Next    : neighbouring threads read characters that are far apart; see v3 in interleaved.cu.
// [v2]
__global__ void sections_v2_atomic(const char* text, std::size_t n, unsigned int* bins) {
    std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    Section mine = section_of(thread, std::size_t{gridDim.x} * blockDim.x, n);
    // TODO(3): Count as in v1, but lose no increment. About 4 lines.
    // BEGIN SOLUTION 3
    for (std::size_t i = mine.begin; i < mine.end; ++i) {
        int group = letter_group(text[i]);
        if (group >= 0) atomicAdd(&bins[group], 1u);
    }
    // STARTER KIT_TODO(3, mine, text, bins);
    // END SOLUTION 3
}
// [/v2]

void sections_racy(const char* text, std::size_t n, unsigned int* bins) {
    CUDA_CHECK(cudaMemsetAsync(bins, 0, kLetterBins * sizeof(unsigned int)));
    sections_v1_racy<<<blocks_for(n), kBlock>>>(text, n, bins);
    CUDA_CHECK_LAUNCH();
}

void sections(const char* text, std::size_t n, unsigned int* bins) {
    CUDA_CHECK(cudaMemsetAsync(bins, 0, kLetterBins * sizeof(unsigned int)));
    sections_v2_atomic<<<blocks_for(n), kBlock>>>(text, n, bins);
    CUDA_CHECK_LAUNCH();
}

}  // namespace histogram

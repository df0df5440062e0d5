// wrong: The letters are counted in global memory: right, but not what was asked.
// diagnosis: a histogram that the block shares needs two
// backends: cpu (a GPU does not count barriers)
// sanitizer.all: the numbers are right: only the executor counts accesses, atomics and barriers

#include <algorithm>

#include "06_histogram/06_histogram.hpp"
#include "kit.cuh"

namespace histogram {

namespace {

__device__ int letter_group(char c) {
    if (c < 'a' || c > 'z') return -1;
    return (c - 'a') / 4;
}

}  // namespace

__global__ void privatized_v4(const char* text, std::size_t n, unsigned int* bins) {
    std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (std::size_t i = first; i < n; i += threads) {
        int group = letter_group(text[i]);
        if (group >= 0) atomicAdd(&bins[group], 1u);
    }
}

void privatized(const char* text, std::size_t n, unsigned int* bins, int threads) {
    CUDA_CHECK(cudaMemsetAsync(bins, 0, kLetterBins * sizeof(unsigned int)));
    std::size_t wanted = kit::ceil_div(n, static_cast<std::size_t>(threads) * 64);
    int blocks = static_cast<int>(std::clamp<std::size_t>(wanted, 1, kMaxBlocks));
    privatized_v4<<<blocks, threads>>>(text, n, bins);
    CUDA_CHECK_LAUNCH();
}

}  // namespace histogram

// wrong: For n = 0 a grid of 0 blocks is launched, which is an error.
// diagnosis: FAIL  n=0
// diagnosis: the kernel launch above
// diagnosis: Task 2, "the launch"

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

__global__ void interleaved_v3(const char* text, std::size_t n, unsigned int* bins) {
    std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (std::size_t i = first; i < n; i += threads) {
        int group = letter_group(text[i]);
        if (group >= 0) atomicAdd(&bins[group], 1u);
    }
}

void interleaved(const char* text, std::size_t n, unsigned int* bins) {
    CUDA_CHECK(cudaMemsetAsync(bins, 0, kLetterBins * sizeof(unsigned int)));
    std::size_t wanted = kit::ceil_div(n, std::size_t{kBlock} * 64);
    int blocks = static_cast<int>(std::min<std::size_t>(wanted, kMaxBlocks));
    interleaved_v3<<<blocks, kBlock>>>(text, n, bins);
    CUDA_CHECK_LAUNCH();
}

}  // namespace histogram

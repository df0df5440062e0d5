// wrong: Still one section per thread: the counts are right, but a warp reads 32 places that lie far apart.
// diagnosis: a warp reads side by side only if neighbours read neighbours
// diagnosis: Task 1, "the loop"
// backends: cpu (a GPU does not tell who reads what; there it only shows in the time)
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

__global__ void interleaved_v3(const char* text, std::size_t n, unsigned int* bins) {
    std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    std::size_t length = kit::ceil_div(n, threads);
    for (std::size_t i = first * length; i < n && i < (first + 1) * length; ++i) {
        int group = letter_group(text[i]);
        if (group >= 0) atomicAdd(&bins[group], 1u);
    }
}

void interleaved(const char* text, std::size_t n, unsigned int* bins) {
    CUDA_CHECK(cudaMemsetAsync(bins, 0, kLetterBins * sizeof(unsigned int)));
    std::size_t wanted = kit::ceil_div(n, std::size_t{kBlock} * 64);
    int blocks = static_cast<int>(std::clamp<std::size_t>(wanted, 1, kMaxBlocks));
    interleaved_v3<<<blocks, kBlock>>>(text, n, bins);
    CUDA_CHECK_LAUNCH();
}

}  // namespace histogram

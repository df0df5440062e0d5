// wrong: One thread per bin clears it; a block of 3 threads clears only 3 of them.
// diagnosis: FAIL  blocks of 3
// diagnosis: uninitialised read
// backends: cpu (on a GPU the shared memory of a fresh block often holds zeros)
// sanitizer.all: initcheck watches global memory only

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
    __shared__ unsigned int own_bins[kLetterBins];

    if (threadIdx.x < kLetterBins) own_bins[threadIdx.x] = 0;
    __syncthreads();  // all bins are 0 before anybody counts

    std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (std::size_t i = first; i < n; i += threads) {
        int group = letter_group(text[i]);
        if (group >= 0) atomicAdd(&own_bins[group], 1u);
    }

    __syncthreads();  // all threads have counted before anybody adds up
    for (int bin = threadIdx.x; bin < kLetterBins; bin += blockDim.x) {
        if (own_bins[bin] > 0) atomicAdd(&bins[bin], own_bins[bin]);
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

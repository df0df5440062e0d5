// v4w and v5w of the demo of 06_histogram: v4 and v5 with loads of 16 bytes, and otherwise unchanged. They show how much v8
// and v9 gain from their loads, and how much from the rest. On a GPU only: the executor would count nothing new.
#pragma once

#include <algorithm>

#include "06_histogram/06_histogram.hpp"
#include "kit.cuh"

namespace histogram_demo {

/// Counts one character: into seven bins if it is a letter, or into 256 bins.
template <int Bins>
__device__ void count_one(unsigned int* own_bins, unsigned int c) {
    if (Bins == histogram::kByteBins) {
        atomicAdd(&own_bins[c], 1u);
    } else if (c >= 'a' && c <= 'z') {
        atomicAdd(&own_bins[(c - 'a') / 4], 1u);
    }
}

template <int Bins>
__device__ void count_word(unsigned int* own_bins, unsigned int word) {
#pragma unroll
    for (int k = 0; k < 4; ++k) count_one<Bins>(own_bins, word >> 8 * k & 0xff);
}

template <int Bins>
__device__ void count_vector(unsigned int* own_bins, uint4 loaded) {
    count_word<Bins>(own_bins, loaded.x);
    count_word<Bins>(own_bins, loaded.y);
    count_word<Bins>(own_bins, loaded.z);
    count_word<Bins>(own_bins, loaded.w);
}

/// v4w and v5w: like v4 (one private histogram per block) and v5 (one per warp), but a thread loads 16 bytes.
template <int Bins, int Copies>
__global__ void wide(const unsigned char* data, std::size_t n, unsigned int* bins) {
    __shared__ unsigned int own_bins[Copies * Bins];
    for (int i = threadIdx.x; i < Copies * Bins; i += blockDim.x) own_bins[i] = 0;
    __syncthreads();  // all counters are 0 before a thread counts

    unsigned int* mine = own_bins + threadIdx.x / 32 % Copies * Bins;
    const uint4* vectors = reinterpret_cast<const uint4*>(data);
    const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = first; i < n / 16; i += threads) count_vector<Bins>(mine, vectors[i]);
    for (std::size_t i = n / 16 * 16 + first; i < n; i += threads) count_one<Bins>(mine, data[i]);

    __syncthreads();  // all threads have counted before one adds up
    for (int bin = threadIdx.x; bin < Bins; bin += blockDim.x) {
        unsigned int sum = 0;
        for (int copy = 0; copy < Copies; ++copy) sum += own_bins[copy * Bins + bin];
        if (sum > 0) atomicAdd(&bins[bin], sum);
    }
}

template <int Bins, int Copies>
void launch_wide(const unsigned char* data, std::size_t n, unsigned int* bins) {
    const std::size_t wanted = kit::ceil_div(n, std::size_t{64} * histogram::kBlock);  // as v4 and v5
    const int blocks = static_cast<int>(std::clamp<std::size_t>(wanted, 1, histogram::kMaxBlocks));
    CUDA_CHECK(cudaMemsetAsync(bins, 0, Bins * sizeof(unsigned int)));
    wide<Bins, Copies><<<blocks, histogram::kBlock>>>(data, n, bins);
    CUDA_CHECK_LAUNCH();
}

}  // namespace histogram_demo

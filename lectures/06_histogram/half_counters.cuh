// v10 of the demo of 06_histogram: 65,536 counters of half a word each, so that the shared memory of one block holds them all.
#pragma once

#include <algorithm>

#include "06_histogram/06_histogram.hpp"
#include "kit.cuh"

namespace histogram_demo {

constexpr int kHalfThreads = 1024;
constexpr int kHalfBins = 65536;
constexpr int kHalfBytes = kHalfBins * 2;  // shared memory per block
constexpr unsigned int kFull = 0x8000;     // a counter that reaches this value passes it on

// [v10]
/// Adds to one of the two counters in a word and returns what it was.
__device__ inline unsigned int count_half(unsigned int* pairs, unsigned int value, unsigned int more) {
    const unsigned int shift = value % 2 * 16;
    return atomicAdd(&pairs[value / 2], more << shift) >> shift & 0xffff;
}

/// Exactly one addition takes a counter to 2^15 or more. Its thread moves 2^15 to the bin in global memory. Until then, other
/// threads may add: each of 1024 threads at most eight, or each of 32 warps at most 256 at once. This is less than 2^15, so no
/// counter overflows into its neighbour.
__device__ inline void hand_on(unsigned int* pairs, unsigned int* bins, unsigned int value,
                               unsigned int before, unsigned int more) {
    if (before >= kFull || before + more < kFull) return;
    atomicSub(&pairs[value / 2], kFull << value % 2 * 16);
    atomicAdd(&bins[value], kFull);
}

/// Counts eight values per lane. If all 256 values of a warp are equal, it adds 256 once.
__device__ inline void count_eight(unsigned int* pairs, unsigned int* bins, uint4 loaded) {
    const unsigned int words[4] = {loaded.x, loaded.y, loaded.z, loaded.w};
    const unsigned int first = __shfl_sync(0xffffffffu, words[0], 0) & 0xffff, twice = first << 16 | first;
    bool same = true;
#pragma unroll
    for (unsigned int word : words) same = same && word == twice;
    if (__all_sync(0xffffffffu, same)) {
        if (threadIdx.x % 32 == 0) hand_on(pairs, bins, first, count_half(pairs, first, 256), 256);
        return;
    }
    unsigned int before[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) before[k] = count_half(pairs, words[k / 2] >> k % 2 * 16 & 0xffff, 1);
#pragma unroll
    for (int k = 0; k < 8; ++k) hand_on(pairs, bins, words[k / 2] >> k % 2 * 16 & 0xffff, before[k], 1);
}
// [/v10]

/// One block per multiprocessor; `values` aligned to 16 bytes, `bins` 0 before the launch.
__global__ void __launch_bounds__(kHalfThreads, 1)
    half_counters_v10(const unsigned short* values, std::size_t n, unsigned int* bins) {
    extern __shared__ unsigned int pairs[];  // counters 2 i and 2 i + 1 in word i
    for (int i = threadIdx.x; i < kHalfBins / 2; i += kHalfThreads) pairs[i] = 0;
    __syncthreads();  // all counters are 0 before a thread counts

    const uint4* const vectors = reinterpret_cast<const uint4*>(values);
    const std::size_t threads = std::size_t{gridDim.x} * kHalfThreads,
                      whole = n / 8 / 32 * 32;  // vectors that whole warps load
    std::size_t i = std::size_t{blockIdx.x} * kHalfThreads + threadIdx.x;
    for (; i - i % 32 + threads < whole; i += 2 * threads) {
        const uint4 here = vectors[i], there = vectors[i + threads];  // both in flight at the same time
        count_eight(pairs, bins, here);
        count_eight(pairs, bins, there);
    }
    for (; i < whole; i += threads) {
        const uint4 here = vectors[i];
        count_eight(pairs, bins, here);
    }
    for (std::size_t k = whole * 8 + std::size_t{blockIdx.x} * kHalfThreads + threadIdx.x; k < n;
         k += threads)
        hand_on(pairs, bins, values[k], count_half(pairs, values[k], 1), 1);

    __syncthreads();  // all threads have counted before one adds up
    for (int k = threadIdx.x; k < kHalfBins / 2; k += kHalfThreads) {
        const unsigned int both = pairs[k];
        if ((both & 0xffff) != 0) atomicAdd(&bins[2 * k], both & 0xffff);
        if (both >> 16 != 0) atomicAdd(&bins[2 * k + 1], both >> 16);
    }
}

/// False where a block cannot have 128 KiB of shared memory.
inline bool has_room_for_halves() {
    int most = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    return most >= kHalfBytes;
}

inline void half_counters(const unsigned short* values, std::size_t n, unsigned int* bins) {
    int multiprocessors = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(
        cudaFuncSetAttribute(half_counters_v10, cudaFuncAttributeMaxDynamicSharedMemorySize, kHalfBytes));
    const std::size_t wanted = kit::ceil_div(n, std::size_t{8} * kHalfThreads);
    const int blocks = static_cast<int>(std::clamp<std::size_t>(wanted, 1, multiprocessors));
    CUDA_CHECK(cudaMemsetAsync(bins, 0, kHalfBins * sizeof(unsigned int)));
    half_counters_v10<<<blocks, kHalfThreads, kHalfBytes>>>(values, n, bins);
    CUDA_CHECK_LAUNCH();
}

}  // namespace histogram_demo

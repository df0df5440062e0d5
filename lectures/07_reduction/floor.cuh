// Parts of v8 by themselves, and a different end for it: where its time at small sizes goes. For the demo of 07_reduction on a GPU.
#pragma once

#include <cuda/atomic>

#include "07_reduction/07_reduction.hpp"
#include "kit.cuh"

namespace reduction_demo {

constexpr int kThreads = 512;  // v8's shape for 2^20 floats: 128 blocks, four loads of 16 bytes per thread
constexpr int kLoads = 4;
constexpr int kPart = kThreads * kLoads * 4;  // floats per block
constexpr unsigned int all_lanes = 0xffffffffu;

/// Does nothing, with as many threads as v8.
__global__ void launched() {}

template <class T>
__device__ T sum_of_warp(T value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(all_lanes, value, offset);
    return value;
}

/// The block's sum as in v8, in lane 0 of the first warp.
__device__ float sum_of_block(const float* in) {
    __shared__ float warp_sums[kThreads / 32];
    const float4* from = reinterpret_cast<const float4*>(in + blockIdx.x * kPart) + threadIdx.x;
    float4 loaded[kLoads];
#pragma unroll
    for (int k = 0; k < kLoads; ++k) loaded[k] = from[k * kThreads];
    float sum = 0;
#pragma unroll
    for (int k = 0; k < kLoads; ++k) sum += (loaded[k].x + loaded[k].y) + (loaded[k].z + loaded[k].w);
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;
    __syncthreads();  // the first warp reads what all warps wrote
    return threadIdx.x < 32 ? sum_of_warp(threadIdx.x < kThreads / 32 ? warp_sums[threadIdx.x] : 0.0f) : 0.0f;
}

/// v8 without its end: each block writes its sum, and no block adds them up.
__global__ void __launch_bounds__(kThreads) only_blocks(const float* in, float* sums) {
    const float sum = sum_of_block(in);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

using Word = cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>;
constexpr unsigned long long told = 1ull << 32;
constexpr int kAtOnce = 4;  // words that a lane reads at a time

/// A different end for v8: the ticket is drawn while the loads are in flight, and a sum and its status are one word, so it needs no
/// fence. The block with the last ticket knows that all others have started, and waits for their words.
__global__ void __launch_bounds__(kThreads)
    one_word(const float* in, float* out, unsigned long long* words, unsigned int* ticket) {
    unsigned int drawn = 0;
    if (threadIdx.x == 0) drawn = atomicAdd(ticket, 1u);
    const float sum = sum_of_block(in);
    if (threadIdx.x >= 32) return;
    const int lane = threadIdx.x, blocks = gridDim.x;
    const bool waits = __shfl_sync(all_lanes, drawn, 0) == gridDim.x - 1;
    const unsigned long long mine = told | __float_as_uint(__shfl_sync(all_lanes, sum, 0));
    if (!waits) {
        if (lane == 0) Word(words[blockIdx.x]).store(mine, cuda::memory_order_relaxed);
        return;
    }
    double total = 0;  // in the order of the blocks: always the same
    for (int first = lane; first < blocks; first += 32 * kAtOnce) {
        unsigned long long word[kAtOnce];
        bool missing = true;
        while (missing) {  // all reads are in flight at the same time, and repeated until no word is missing
            missing = false;
#pragma unroll
            for (int k = 0; k < kAtOnce; ++k) {
                const int b = first + 32 * k;
                word[k] = b == static_cast<int>(blockIdx.x) ? mine : told;
                if (b < blocks && b != static_cast<int>(blockIdx.x))
                    word[k] = Word(words[b]).load(cuda::memory_order_relaxed);
            }
#pragma unroll
            for (int k = 0; k < kAtOnce; ++k) missing = missing || word[k] < told;
        }
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k) {
            total += __uint_as_float(static_cast<unsigned int>(word[k]));
            if (first + 32 * k < blocks)
                Word(words[first + 32 * k]).store(0, cuda::memory_order_relaxed);  // for the next call
        }
    }
    total = sum_of_warp(total);
    if (lane == 0) *out = static_cast<float>(total), atomicExch(ticket, 0u);
}

}  // namespace reduction_demo

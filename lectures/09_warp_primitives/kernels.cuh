// Kernels for the demo of 09_warp_primitives, for comparison with those of the exercises.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "09_warp_primitives/09_warp_primitives.hpp"
#include "kit.cuh"

namespace warp_demo {

namespace cg = cooperative_groups;
using namespace warp_primitives;

constexpr unsigned int all_lanes = 0xffffffffu;

inline __host__ __device__ std::uint32_t hash(std::uint32_t i) {
    i = (i ^ (i >> 16)) * 0x7feb352du;
    i = (i ^ (i >> 15)) * 0x846ca68bu;
    return i ^ (i >> 16);
}

/// Fills `values` so that `kept` of 64 are positive, at random places.
__global__ void fill_values(int* values, int n, unsigned int kept) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        values[i] = hash(i) % 64 < kept ? static_cast<int>(hash(i) >> 8) + 1 : -1;
}

/// Fills `to` with keys from 0 to keys - 1, all equally likely.
__global__ void fill_keys(int* to, int n, int keys) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        to[i] = static_cast<int>(hash(i) % static_cast<unsigned int>(keys));
}

__global__ void fill_words(std::uint32_t* words, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        words[i] = hash(i);
}

// ---- keep_positive ----

/// One atomic per kept value. nvcc turns them into one per warp, as it does for an atomicAdd of 1.
__global__ void keep_one_by_one(const int* in, int n, int* out, unsigned int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int value = i < n ? in[i] : 0;
    if (value > 0) out[atomicInc(count, 0xffffffffu)] = value;
}

/// The lanes that arrive together add together: correct for any group, but one atomic per warp only if all lanes run together.
__global__ void keep_opportunistic(const int* in, int n, int* out, unsigned int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int value = i < n ? in[i] : 0;
    if (value <= 0) return;
    cg::coalesced_group here = cg::coalesced_threads();
    unsigned int base = 0;
    if (here.thread_rank() == 0) base = atomicAdd(count, here.size());
    out[here.shfl(base, 0) + here.thread_rank()] = value;
}

/// One atomic per block: the warps add up their votes in shared memory.
__global__ void keep_by_block(const int* in, int n, int* out, unsigned int* count) {
    __shared__ unsigned int places[kBlock / kLanes];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
    const int value = i < n ? in[i] : 0;
    const unsigned int votes = __ballot_sync(all_lanes, value > 0);
    if (lane == 0) places[warp] = __popc(votes);
    __syncthreads();  // the first thread reads the counts that all warps wrote
    if (threadIdx.x == 0) {
        unsigned int sum = 0;
        for (unsigned int& place : places) {
            const unsigned int kept = place;
            place = sum;
            sum += kept;
        }
        const unsigned int base = sum > 0 ? atomicAdd(count, sum) : 0;
        for (unsigned int& place : places) place += base;
    }
    __syncthreads();  // all warps read the places that the first thread wrote
    if (value > 0) out[places[warp] + __popc(votes & ((1u << lane) - 1))] = value;
}

// ---- sum_by_key ----

/// Like v8, but with the mask of __match_any_sync. Each lane reads the values of its group one after another.
__global__ void sum_by_match(const int* keys, const int* values, int n, int* sums) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int lane = threadIdx.x % kLanes;
    const int key = i < n ? keys[i] : -1;
    const int value = i < n ? values[i] : 0;
    const unsigned int equals = __match_any_sync(all_lanes, key);
    int sum = 0;
    // Each lane goes through its own group. In each round, all lanes shuffle, and each lane chooses the lane that it reads.
    unsigned int left = equals;
    while (__any_sync(all_lanes, left != 0)) {
        const int from = left ? __ffs(left) - 1 : static_cast<int>(lane);
        const int other = __shfl_sync(all_lanes, value, from);
        if (left) sum += other;
        left &= left - 1;
    }
    if (lane == static_cast<unsigned int>(__ffs(equals) - 1) && key >= 0) atomicAdd(&sums[key], sum);
}

#ifndef KIT_CPU
/// Like v8, but one instruction does the reduction. For sm_80 and newer.
__global__ void sum_by_redux(const int* keys, const int* values, int n, int* sums) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int lane = threadIdx.x % kLanes;
    const int key = i < n ? keys[i] : -1;
    const int value = i < n ? values[i] : 0;
    const unsigned int equals = __match_any_sync(all_lanes, key);
#if __CUDA_ARCH__ >= 800
    int sum = __reduce_add_sync(equals, value);
#else
    const int sum = value;
    __trap();
#endif
    if (lane == static_cast<unsigned int>(__ffs(equals) - 1) && key >= 0) atomicAdd(&sums[key], sum);
}
#endif

// ---- ballot_compact ----

/// Like v4, but a scan by shuffles computes the place of a value. It works for any numbers, in five steps instead of one vote.
__global__ void compact_by_shuffles(const int* in, int rows, int columns, int* out, int* counts) {
    const int row = blockIdx.x * (kBlock / kLanes) + threadIdx.x / kLanes;
    const int lane = threadIdx.x % kLanes;
    if (row >= rows) return;
    const int* values = in + row * columns;
    int* kept = out + row * columns;
    int before = 0;
    for (int first = 0; first < columns; first += kLanes) {
        const int column = first + lane;
        const int value = column < columns ? values[column] : 0;
        int place = value > 0;
        for (int offset = 1; offset < kLanes; offset *= 2) {
            const int lower = __shfl_up_sync(all_lanes, place, offset);
            if (lane >= offset) place += lower;
        }
        if (value > 0) kept[before + place - 1] = value;
        before += __shfl_sync(all_lanes, place, kLanes - 1);
    }
    if (lane == 0) counts[row] = before;
}

// ---- divergence ----

__device__ inline std::uint32_t first_way(std::uint32_t x, int steps) {
    for (int step = 0; step < steps; ++step) x = x * 1664525u + 1013904223u;
    return x;
}
__device__ inline std::uint32_t second_way(std::uint32_t x, int steps) {
    for (int step = 0; step < steps; ++step) x = x * 2654435769u + 374761393u;
    return x;
}

/// Threads alternate between two paths, `period` neighbours at a time: arithmetic only.
__global__ void by_turns(const std::uint32_t* in, int n, int period, int steps, std::uint32_t* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = i / period % 2 == 0 ? first_way(in[i], steps) : second_way(in[i], steps);
}

/// The first `lanes` lanes of each warp climb while the others wait.
__global__ void lanes_climb(const std::uint32_t* in, int n, int lanes, const std::uint32_t* table,
                            std::uint32_t* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = i % kLanes < lanes ? climb(table, in[i]) : in[i];
}

// ---- sums over a warp ----

struct ByShuffles {
    __device__ int operator()(int value, int*) const {
        for (int offset = kLanes / 2; offset > 0; offset /= 2)
            value += __shfl_xor_sync(all_lanes, value, offset);
        return value;
    }
};
struct ByGroup {
    __device__ int operator()(int value, int*) const {
        const auto warp = cg::tiled_partition<kLanes>(cg::this_thread_block());
        return cg::reduce(warp, value, cg::plus<int>());
    }
};
struct BySharedMemory {
    __device__ int operator()(int value, int* tile) const {
        const int lane = threadIdx.x % kLanes;
        tile[lane] = value;
        for (int stride = kLanes / 2; stride > 0; stride /= 2) {
            __syncwarp();  // this step reads what other lanes wrote in the previous step
            const int sum = tile[lane] + tile[lane ^ stride];
            __syncwarp();  // all lanes have read before any lane writes
            tile[lane] = sum;
        }
        return tile[lane];
    }
};
#ifndef KIT_CPU
struct ByInstruction {
    __device__ int operator()(int value, int*) const {
#if __CUDA_ARCH__ >= 800
        return __reduce_add_sync(all_lanes, value);
#else
        __trap();
        return value;
#endif
    }
};
#endif

/// Computes `rounds` sums one after another; each sum adds up the results of the previous one.
template <class Sum>
__global__ void sum_often(int rounds, int* out) {
    __shared__ int tiles[kBlock];
    Sum sum;
    int* tile = tiles + threadIdx.x / kLanes * kLanes;
    int value = threadIdx.x;
    for (int round = 0; round < rounds; ++round) value = sum(value, tile) ^ static_cast<int>(threadIdx.x);
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// ---- for the lecture only: never launched ----

// [predicated]
__global__ void limit_values(float* values, int n, float most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float value = values[i];
    if (value > most) value = most;  // short: a predicate or a select, and no branch
    values[i] = value;
}
// [/predicated]

// [progress]
/// Deadlocks: the lane with the lock waits for lanes that wait for the lock.
__global__ void locked_sum_deadlocks(int* lock, int* sum) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __syncwarp();  // names all lanes, and 31 of them are still in the loop
    *sum += 1;
    __threadfence();
    atomicExch(lock, 0);
}
// [/progress]

}  // namespace warp_demo

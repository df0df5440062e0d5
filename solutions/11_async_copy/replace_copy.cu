// 11_async_copy/replace_copy: an asynchronous copy, with sums of half a tile during the copy of the other half.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests replace_copy.cu ../../tests/11_async_copy/replace_copy_test.cu
//        -o replace_copy
// Run:   ./replace_copy
//
//   v1  load_and_store_v1: each thread loads elements into a register and stores them to shared memory
//   v2  replace_copy_v2: like v1, but the block copies the tile asynchronously, and then waits for it
//   v6  half_by_half_v6: like v2, but in two halves, and the block sums what it can before it waits for the second one

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include "11_async_copy/11_async_copy.hpp"
#include "kit.cuh"

namespace cg = cooperative_groups;

namespace staging {

/// Writes the sum of the window of each element of the ring to `out`.
// [sums]
__device__ void sum_windows(const unsigned int* ring, int count, unsigned int* out, int window) {
    for (int i = threadIdx.x; i < count; i += kBlock) {
        unsigned int sum = 0;
        for (int k = 0, place = i; k < window; ++k) {
            sum += ring[place];
            if (++place == count) place = 0;
        }
        out[i] = sum;
    }
}
// [/sums]

// v1: load and store.
// Mapping : one block per tile; thread t stages elements t, t + kBlock, ...
// Cost    : a global load, a register and a shared store per element; the store waits for the load.
// Requires: nothing; n may be ragged.
// Next    : the values only pass through the register; see v2.
// [v1]
__global__ void load_and_store_v1(const unsigned int* in, std::size_t n, unsigned int* out, int window) {
    __shared__ unsigned int tile[kTile];
    std::size_t first = std::size_t{blockIdx.x} * kTile;
    int count = n - first < kTile ? static_cast<int>(n - first) : kTile;
    for (int i = threadIdx.x; i < count; i += kBlock) tile[i] = in[first + i];
    __syncthreads();  // all threads have stored their elements before any thread reads the tile
    sum_windows(tile, count, out + first, window);
}
// [/v1]

void load_and_store(const unsigned int* in, std::size_t n, unsigned int* out, int window) {
    if (n == 0) return;
    load_and_store_v1<<<static_cast<unsigned int>(kit::ceil_div(n, std::size_t{kTile})), kBlock>>>(in, n, out,
                                                                                                   window);
    CUDA_CHECK_LAUNCH();
}

// v2: like v1, but the block copies the tile asynchronously.
// Mapping : as v1.
// Cost    : one asynchronous copy per 4 bytes, without a register; the block waits once, for all copies.
// Requires: as v1. The size of the copy is in bytes.
// Next    : the block still waits for its tile, and does nothing while it waits; see v3 in two_stage_pipeline.cu.
// [v2]
__global__ void replace_copy_v2(const unsigned int* in, std::size_t n, unsigned int* out, int window) {
    __shared__ alignas(16) unsigned int tile[kTile];
    cg::thread_block block = cg::this_thread_block();
    std::size_t first = std::size_t{blockIdx.x} * kTile;
    int count = n - first < kTile ? static_cast<int>(n - first) : kTile;
    // TODO(1): Let the block copy the `count` elements of its tile asynchronously. 1 line.
    // BEGIN SOLUTION 1
    cg::memcpy_async(block, tile, in + first, count * sizeof(unsigned int));
    // STARTER KIT_TODO(1, in, block, tile, first, count);
    // END SOLUTION 1

    // TODO(2): Wait until every thread can read the whole tile. 1 line.
    // BEGIN SOLUTION 2
    cg::wait(block);  // all copies of the block have arrived before any thread reads; no extra barrier needed
    // STARTER KIT_TODO(2);
    // END SOLUTION 2
    sum_windows(tile, count, out + first, window);
}
// [/v2]

void replace_copy(const unsigned int* in, std::size_t n, unsigned int* out, int window) {
    if (n == 0) return;
    replace_copy_v2<<<static_cast<unsigned int>(kit::ceil_div(n, std::size_t{kTile})), kBlock>>>(in, n, out,
                                                                                                 window);
    CUDA_CHECK_LAUNCH();
}

// [ready]
__host__ __device__ int windows_ready(int count, int arrived, int window) {
    // TODO(3): Window i consists of the elements i, i + 1, ..., i + window - 1 of the ring. 2 lines.
    // BEGIN SOLUTION 3
    if (arrived == count) return count;
    return arrived < window ? 0 : arrived - window + 1;
    // STARTER KIT_TODO(3, count, arrived, window);
    // STARTER return 0;
    // END SOLUTION 3
}
// [/ready]

/// Writes the sums of the windows `begin`, `begin` + 1, ... before `end`.
__device__ void sum_some(const unsigned int* ring, int count, int begin, int end, unsigned int* out,
                         int window) {
    for (int i = begin + static_cast<int>(threadIdx.x); i < end; i += kBlock) {
        unsigned int sum = 0;
        for (int k = 0, place = i; k < window; ++k) {
            sum += ring[place];
            if (++place == count) place = 0;
        }
        out[i] = sum;
    }
}

// v6: like v2, but each half of the tile is a separate group of copies.
// Mapping : as v1.
// Cost    : as v2; the second half arrives while the block sums what the first half allows.
// Requires: as v2.
// Next    : the copy of a whole tile during the sums of a different tile; see v3 in two_stage_pipeline.cu.
// [v6]
__global__ void half_by_half_v6(const unsigned int* in, std::size_t n, unsigned int* out, int window) {
    __shared__ alignas(16) unsigned int tile[kTile];
    cg::thread_block block = cg::this_thread_block();
    std::size_t first = std::size_t{blockIdx.x} * kTile;
    int count = n - first < kTile ? static_cast<int>(n - first) : kTile;
    int half = min(count, kTile / 2);
    // TODO(4): Copy both halves, sum as early as possible with sum_some(), and write every sum once. Each call of
    // cg::memcpy_async() closes one group of copies, and cg::wait_prior<N>(block) waits for all but the last N. About 7 lines.
    // BEGIN SOLUTION 4
    cg::memcpy_async(block, tile, in + first, half * sizeof(unsigned int));
    cg::memcpy_async(block, tile + half, in + first + half, (count - half) * sizeof(unsigned int));
    cg::wait_prior<1>(block);  // the first half has arrived, for all threads
    int ready = windows_ready(count, half, window);
    sum_some(tile, count, 0, ready, out + first, window);
    cg::wait(block);  // the second half has arrived, for all threads
    sum_some(tile, count, ready, count, out + first, window);
    // STARTER KIT_TODO(4, in, out, window, tile, block, first, count, half, windows_ready, sum_some);
    // END SOLUTION 4
}
// [/v6]

void half_by_half(const unsigned int* in, std::size_t n, unsigned int* out, int window) {
    if (n == 0) return;
    half_by_half_v6<<<static_cast<unsigned int>(kit::ceil_div(n, std::size_t{kTile})), kBlock>>>(in, n, out,
                                                                                                 window);
    CUDA_CHECK_LAUNCH();
}

}  // namespace staging

// Kernels of the demo of 11_async_copy. A few blocks process tile after tile: with loads and stores, with loads ahead into
// registers, or with asynchronous copies or bulk copies in two to four stages. All compute window sums of full tiles.
#pragma once

#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda/std/utility>

#include "11_async_copy/11_async_copy.hpp"

namespace stages {

using staging::kBlock;
using staging::kTile;

static_assert(kBlock * 4 == kTile, "each thread stages 16 bytes of a tile");

/// The tile is full and its size is a power of two, so an AND wraps the index around.
__device__ inline void sum_windows(const unsigned int* ring, unsigned int* out, int window) {
    for (int i = threadIdx.x; i < kTile; i += kBlock) {
        unsigned int sum = 0;
        for (int k = 0; k < window; ++k) sum += ring[(i + k) & (kTile - 1)];
        out[i] = sum;
    }
}

/// Loads 16 bytes per thread, stores them, waits, computes, and waits again.
__global__ void synchronous(const unsigned int* in, int tiles, unsigned int* out, int window) {
    __shared__ uint4 tile[kBlock];
    for (int i = blockIdx.x; i < tiles; i += gridDim.x) {
        tile[threadIdx.x] = reinterpret_cast<const uint4*>(in)[std::size_t(i) * kBlock + threadIdx.x];
        __syncthreads();
        sum_windows(reinterpret_cast<const unsigned int*>(tile), out + std::size_t(i) * kTile, window);
        __syncthreads();
    }
}

/// The same, but each thread loads its part of the next tile into registers before the block computes the current tile. This was
/// the usual way before asynchronous copies existed.
__global__ void register_ahead(const unsigned int* in, int tiles, unsigned int* out, int window) {
    __shared__ uint4 tile[kBlock];
    const uint4* const vectors = reinterpret_cast<const uint4*>(in);
    uint4 next = {};
    if (static_cast<int>(blockIdx.x) < tiles) next = vectors[std::size_t{blockIdx.x} * kBlock + threadIdx.x];
    for (int i = blockIdx.x; i < tiles; i += gridDim.x) {
        tile[threadIdx.x] = next;
        __syncthreads();
        const int following = i + static_cast<int>(gridDim.x);
        if (following < tiles) next = vectors[std::size_t(following) * kBlock + threadIdx.x];
        sum_windows(reinterpret_cast<const unsigned int*>(tile), out + std::size_t(i) * kTile, window);
        __syncthreads();
    }
}

/// STAGES - 1 tiles are in flight while the block computes one. wait_prior leaves them in flight.
// [stages]
template <int STAGES>
__global__ void asynchronous(const unsigned int* in, int tiles, unsigned int* out, int window) {
    __shared__ uint4 stage[STAGES][kBlock];
    const uint4* const vectors = reinterpret_cast<const uint4*>(in);
    const auto begin = [&](int tile, int round) {
        if (tile < tiles) {
            __pipeline_memcpy_async(&stage[round % STAGES][threadIdx.x],
                                    vectors + std::size_t(tile) * kBlock + threadIdx.x, 16);
        }
        __pipeline_commit();  // after the last tile, an empty group keeps the count correct
    };
    const int step = static_cast<int>(gridDim.x);
    for (int s = 0; s < STAGES - 1; ++s) begin(static_cast<int>(blockIdx.x) + s * step, s);
    int round = 0;
    for (int i = blockIdx.x; i < tiles; i += step, ++round) {
        begin(i + (STAGES - 1) * step, round + STAGES - 1);
        __pipeline_wait_prior(STAGES - 1);
        __syncthreads();  // the parts of all threads have arrived before any thread reads the tile
        sum_windows(reinterpret_cast<const unsigned int*>(stage[round % STAGES]),
                    out + std::size_t(i) * kTile, window);
        __syncthreads();  // all threads have read the stage before the next copy overwrites it
    }
}
// [/stages]

/// The same, but thread 0 issues one bulk copy per tile.
template <int STAGES>
__global__ void bulk(const unsigned int* in, int tiles, unsigned int* out, int window) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ alignas(128) unsigned int stage[STAGES][kTile];
    __shared__ alignas(Barrier) unsigned char room[STAGES * sizeof(Barrier)];
    Barrier* const barriers = reinterpret_cast<Barrier*>(room);
    if (threadIdx.x < STAGES) {
        init(&barriers[threadIdx.x], 1);                        // only thread 0 arrives
        cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);  // the accelerator sees the new barriers
    }
    __syncthreads();
    const auto begin = [&](int tile, int round) {
        if (tile >= tiles || threadIdx.x != 0) return;
        Barrier& barrier = barriers[round % STAGES];
        constexpr int bytes = kTile * sizeof(unsigned int);
        cuda::device::memcpy_async_tx(stage[round % STAGES], in + std::size_t(tile) * kTile,
                                      cuda::aligned_size_t<16>(bytes), barrier);
        (void)cuda::device::barrier_arrive_tx(barrier, 1, bytes);
    };
    const int step = static_cast<int>(gridDim.x);
    for (int s = 0; s < STAGES - 1; ++s) begin(static_cast<int>(blockIdx.x) + s * step, s);
    int round = 0;
    for (int i = blockIdx.x; i < tiles; i += step, ++round) {
        begin(i + (STAGES - 1) * step, round + STAGES - 1);
        barriers[round % STAGES].wait_parity(round / STAGES % 2 != 0);
        sum_windows(stage[round % STAGES], out + std::size_t(i) * kTile, window);
        __syncthreads();  // all threads have read the stage before the next copy overwrites it
    }
#else
    (void)in, (void)tiles, (void)out, (void)window;
#endif
}

}  // namespace stages

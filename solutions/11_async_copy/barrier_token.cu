// 11_async_copy/barrier_token: arrive, work, wait with the token.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests barrier_token.cu ../../tests/11_async_copy/barrier_token_test.cu
//        -o barrier_token
// Run:   ./barrier_token
//
//   v4  barrier_token_v4: like v2, but a cuda::barrier completes the copy, and the block works between arrival and wait

#include <cooperative_groups.h>

#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda/std/utility>

#include "11_async_copy/11_async_copy.hpp"
#include "kit.cuh"

namespace cg = cooperative_groups;

namespace staging {

namespace {

using Barrier = cuda::barrier<cuda::thread_scope_block>;
// No constructor runs for a barrier in shared memory. That is fine, because init() initializes it.
#pragma nv_diag_suppress static_var_with_dynamic_init

/// Lets bulk copies of this thread's block use a barrier that this thread has initialized. Bulk copies exist starting with sm_90.
[[maybe_unused]] __device__ void fence_before_bulk_copies() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
#endif
}

[[maybe_unused]] __device__ void sum_weighted(const unsigned int* ring, int count, unsigned int* out,
                                              const unsigned int* weights, int window) {
    for (int i = threadIdx.x; i < count; i += kBlock) {
        unsigned int sum = 0;
        for (int k = 0, place = i; k < window; ++k) {
            sum += weights[k] * ring[place];
            if (++place == count) place = 0;
        }
        out[i] = sum;
    }
}

}  // namespace

// v4: like v2, but arriving and waiting are separate steps.
// Mapping : block b has the tiles b, b + gridDim.x, ...
// Cost    : one phase of the barrier and one __syncthreads() per tile; the first copy hides the time of the weights.
// Requires: window is at most kTile; n may be ragged.
// Next    : one thread can start the whole copy; see v5 in tma_bulk.cu.
// [v4]
__global__ void barrier_token_v4(const unsigned int* in, std::size_t n, unsigned int* out, int window) {
    __shared__ alignas(16) unsigned int tile[kTile];
    __shared__ unsigned int weights[kTile];
    __shared__ Barrier barrier;
    cg::thread_block block = cg::this_thread_block();
    // TODO(1): Let one thread initialize the barrier with init(&barrier, threads), and call fence_before_bulk_copies(). Then let
    // all threads see the barrier. About 5 lines.
    // BEGIN SOLUTION 1
    if (threadIdx.x == 0) {
        init(&barrier, kBlock);
        fence_before_bulk_copies();
    }
    __syncthreads();  // thread 0 has initialized the barrier before any thread uses it
    // STARTER KIT_TODO(1, barrier);
    // END SOLUTION 1

    bool weights_missing = true;
    for (std::size_t first = std::size_t{blockIdx.x} * kTile; first < n;
         first += std::size_t{gridDim.x} * kTile) {
        int count = n - first < kTile ? static_cast<int>(n - first) : kTile;
        // TODO(2): Start the copy of `count` elements with cuda::memcpy_async(block, to, from, size, barrier). If the size is
        // a multiple of 16 bytes, promise it. Then arrive, and keep the token. About 7 lines.
        // BEGIN SOLUTION 2
        std::size_t bytes = count * sizeof(unsigned int);
        if (bytes % 16 == 0) {  // on sm_90, this is one bulk copy
            cuda::memcpy_async(block, tile, in + first, cuda::aligned_size_t<16>(bytes), barrier);
        } else {
            cuda::memcpy_async(block, tile, in + first, bytes, barrier);
        }
        Barrier::arrival_token token = barrier.arrive();
        // STARTER Barrier::arrival_token token;
        // STARTER KIT_TODO(2, block, tile, in, count, barrier, token);
        // END SOLUTION 2

        if (weights_missing) {  // work that does not need the tile, during the first copy
            for (int k = threadIdx.x; k < window; k += kBlock) weights[k] = weight(k);
            __syncthreads();  // all weights are written before any thread reads them; the copy may still be in flight
            weights_missing = false;
        }

        // TODO(3): Wait with the token and sum the windows. Make sure that no copy overwrites the tile while a thread
        // still reads it. 3 lines.
        // BEGIN SOLUTION 3
        barrier.wait(cuda::std::move(token));
        sum_weighted(tile, count, out + first, weights, window);
        __syncthreads();  // all threads have read this tile before the next copy overwrites it
        // STARTER KIT_TODO(3, out, weights, tile);
        // END SOLUTION 3
    }
}
// [/v4]

void barrier_token(const unsigned int* in, std::size_t n, unsigned int* out, int window, int blocks) {
    if (n == 0) return;
    barrier_token_v4<<<blocks, kBlock>>>(in, n, out, window);
    CUDA_CHECK_LAUNCH();
}

}  // namespace staging

// 11_async_copy/tma_bulk: one bulk copy per tile, and the elements that do not fit into it.
//
// Build: nvcc -std=c++17 -arch=native -I../../common -I../../tests tma_bulk.cu ../../tests/11_async_copy/tma_bulk_test.cu
//        -o tma_bulk
// Run:   ./tma_bulk     (needs a device of sm_90 or newer, and code for it)
//
//   v5  tma_bulk_v5: like v2, but each tile is one bulk copy, and the barrier expects its bytes

#include <cuda/barrier>
#include <cuda/ptx>

#include "11_async_copy/11_async_copy.hpp"
#include "kit.cuh"

namespace staging {

namespace {

using Barrier = cuda::barrier<cuda::thread_scope_block>;
// No constructor runs for a barrier in shared memory. That is fine, because init() initializes it.
#pragma nv_diag_suppress static_var_with_dynamic_init

[[maybe_unused]] __device__ void sum_windows(const unsigned int* ring, int count, unsigned int* out,
                                             int window) {
    for (int i = threadIdx.x; i < count; i += kBlock) {
        unsigned int sum = 0;
        for (int k = 0, place = i; k < window; ++k) {
            sum += ring[place];
            if (++place == count) place = 0;
        }
        out[i] = sum;
    }
}

}  // namespace

// v5: like v2, but one bulk copy per tile.
// Mapping : one block per tile; thread 0 starts the copy, and all threads wait for it.
// Cost    : one instruction per tile instead of kTile / kBlock per thread.
// Requires: in is aligned to 16 bytes. Only whole pieces of 16 bytes are in the bulk copy; thread 0 itself copies the last elements.
// [v5]
__global__ void tma_bulk_v5(const unsigned int* in, std::size_t n, unsigned int* out, int window) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    __shared__ alignas(16) unsigned int tile[kTile];
    __shared__ Barrier barrier;
    std::size_t first = std::size_t{blockIdx.x} * kTile;
    int count = n - first < kTile ? static_cast<int>(n - first) : kTile;
    if (threadIdx.x == 0) {
        init(&barrier, 1);  // one arrival completes a phase: that of thread 0
        cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);  // the accelerator sees the new barrier
    }
    __syncthreads();  // thread 0 has initialized the barrier before any thread uses it

    // TODO(2): Let thread 0 bring the tile and arrive. `count` need not be a multiple of 4: which part of the tile can be a bulk
    // copy, how do the other elements get into the tile, and how many bytes must the phase expect? About 8 lines.
    KIT_TODO(2, tile, in, first, count, barrier);

    // TODO(3): Wait until all bytes have arrived. A thread without a token waits for a phase by its parity. 1 line.
    KIT_TODO(3, out, window);
    sum_windows(tile, count, out + first, window);
#else
    (void)in, (void)n, (void)out, (void)window;  // for devices without bulk copies, and never launched there
#endif
}
// [/v5]

bool tma_bulk(const unsigned int* in, std::size_t n, unsigned int* out, int window) {
    // TODO(1): Query cudaDevAttrComputeCapabilityMajor. If it is less than 9, return false without doing anything
    // else. 5 lines.
    KIT_TODO(1);
    if (n == 0) return true;
    tma_bulk_v5<<<static_cast<unsigned int>(kit::ceil_div(n, std::size_t{kTile})), kBlock>>>(in, n, out,
                                                                                             window);
    CUDA_CHECK_LAUNCH();
    return true;
}

}  // namespace staging

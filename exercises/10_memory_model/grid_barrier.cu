// 10_memory_model/grid_barrier: a barrier for the whole grid, and its launch.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests grid_barrier.cu
//        ../../tests/10_memory_model/grid_barrier_test.cu -o grid_barrier
// Run:   ./grid_barrier
//
//   v5  smooth_v5_own_barrier: all rounds in one launch, with this barrier between them
//   v6  smooth_v6_grid_sync: the same with grid.sync() (given)

#include <cooperative_groups.h>

#include <algorithm>
#include <cuda/atomic>

#include "10_memory_model/10_memory_model.hpp"
#include "kit.cuh"

namespace memory_model {

using Counter = cuda::atomic_ref<unsigned int, cuda::thread_scope_device>;

/// Returns when all threads of the grid have called it. Then every thread sees what all threads wrote before their calls. `number`
/// counts the barriers of this launch, beginning with 1.
// [barrier]
__device__ void wait_for_grid(Barrier barrier, unsigned int number) {
    __syncthreads();  // all threads of the block have arrived before thread 0 counts the block in
    if (threadIdx.x == 0) {
        Counter arrivals(*barrier.arrivals);
        // TODO(1): Count this block in. The counter is never reset, so which count means that all blocks have reached *this*
        // barrier? Wait until the counter has reached it. Some blocks may already be at the next barrier, and after 2^32 arrivals
        // the counter starts at 0 again: so look at the difference of the two counts. About 4 lines.
        KIT_TODO(1, arrivals, number);
    }
    __syncthreads();  // no thread of the block continues before thread 0 has seen that all blocks have arrived
}
// [/barrier]

__device__ void smooth_once(const int* from, int* to, int n) {
    for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock)
        to[i] = (from[i == 0 ? n - 1 : i - 1] + from[i == n - 1 ? 0 : i + 1]) % 1000;
}

// v5: all rounds in one launch.
// Mapping : grid-stride, with as many blocks as can be resident at the same time.
// Cost    : per round 3 accesses per value and one barrier: one atomic per block, on an address that all blocks poll.
// Requires: all blocks are resident at the same time.
__global__ void smooth_v5_own_barrier(int* even, int* odd, int n, int rounds, Barrier barrier) {
    for (int r = 0; r < rounds; ++r) {
        if (r > 0) wait_for_grid(barrier, r);
        smooth_once(r % 2 == 0 ? even : odd, r % 2 == 0 ? odd : even, n);
    }
}

// v6: the same, with the barrier of cooperative groups.
__global__ void smooth_v6_grid_sync(int* even, int* odd, int n, int rounds) {
    for (int r = 0; r < rounds; ++r) {
        if (r > 0) cooperative_groups::this_grid().sync();
        smooth_once(r % 2 == 0 ? even : odd, r % 2 == 0 ? odd : even, n);
    }
}

/// Returns how many blocks of this kernel can be resident at the same time, but at most as many as n values need.
template <class... Arguments>
int blocks_together(void (*kernel)(Arguments...), int n) {
    // TODO(2): Query how many blocks of this kernel, with kBlock threads each, fit on a multiprocessor
    // (cudaOccupancyMaxActiveBlocksPerMultiprocessor), and how many multiprocessors the device has
    // (cudaDevAttrMultiProcessorCount). Compute the result from the two. About 5 lines.
    KIT_TODO(2, kernel, n);
    return 1;
}

void grid_barrier(int* even, int* odd, int n, int rounds, Barrier barrier) {
    int blocks = blocks_together(smooth_v5_own_barrier, n);
    // TODO(3): Launch smooth_v5_own_barrier so that either all its blocks are resident at the same time, or the launch fails.
    // grid_sync() below shows how. 2 lines.
    (void)even, (void)odd, (void)rounds, (void)barrier, (void)blocks;
    KIT_TODO(3);
}

void grid_sync(int* even, int* odd, int n, int rounds) {
    int blocks = blocks_together(smooth_v6_grid_sync, n);
    void* arguments[] = {&even, &odd, &n, &rounds};
    CUDA_CHECK(cudaLaunchCooperativeKernel(smooth_v6_grid_sync, dim3(blocks), dim3(kBlock), arguments));
}

}  // namespace memory_model

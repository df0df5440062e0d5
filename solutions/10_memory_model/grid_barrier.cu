// 10_memory_model/grid_barrier: a barrier of the whole grid, out of one counter.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests grid_barrier.cu
//        ../../tests/10_memory_model/grid_barrier_test.cu -o grid_barrier
// Run:   ./grid_barrier
//
//   v5  smooth_v5_own_barrier: rounds in one launch, with this barrier between them
//   v6  smooth_v6_grid_sync: the same with grid.sync() (given)

#include <cooperative_groups.h>

#include <algorithm>
#include <cuda/atomic>

#include "10_memory_model/10_memory_model.hpp"
#include "kit.cuh"

namespace memory_model {

using Counter = cuda::atomic_ref<unsigned int, cuda::thread_scope_device>;

/// Returns when all threads of the grid have called it; what they did before is then visible to all.
// [barrier]
__device__ void wait_for_grid(Barrier barrier) {
    __syncthreads();  // thread 0 speaks for the block: all of it has come
    if (threadIdx.x == 0) {
        Counter arrivals(*barrier.arrivals);
        // TODO(1): Count this block in; what the counter was before is its ticket. Nobody ever sets the counter back. So which
        // count says that all blocks have come to *this* barrier? Find it from the ticket, and wait until the counter is there,
        // or beyond: the first ones may already be at the next barrier. About 4 lines.
        // BEGIN SOLUTION 1
        const unsigned int ticket = arrivals.fetch_add(1, cuda::memory_order_release);
        const unsigned int until = ticket / gridDim.x * gridDim.x + gridDim.x;
        while (arrivals.load(cuda::memory_order_acquire) < until) {
        }
        // STARTER KIT_TODO(1, arrivals);
        // END SOLUTION 1
    }
    __syncthreads();  // nobody goes on before thread 0
}
// [/barrier]

__device__ void smooth_once(const int* from, int* to, int n) {
    for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock)
        to[i] = (from[i == 0 ? n - 1 : i - 1] + from[i == n - 1 ? 0 : i + 1]) % 1000;
}

// v5: all rounds in one launch.
// Mapping : grid-stride, as many blocks as can be resident together.
// Cost    : per round 3 accesses per value and one barrier: an atomic per block on one address, which all ask.
// Requires: all blocks are resident together.
__global__ void smooth_v5_own_barrier(int* even, int* odd, int n, int rounds, Barrier barrier) {
    for (int r = 0; r < rounds; ++r) {
        if (r > 0) wait_for_grid(barrier);
        smooth_once(r % 2 == 0 ? even : odd, r % 2 == 0 ? odd : even, n);
    }
}

// v6: the same, and cooperative groups have the barrier.
__global__ void smooth_v6_grid_sync(int* even, int* odd, int n, int rounds) {
    for (int r = 0; r < rounds; ++r) {
        if (r > 0) cooperative_groups::this_grid().sync();
        smooth_once(r % 2 == 0 ? even : odd, r % 2 == 0 ? odd : even, n);
    }
}

/// How many blocks of this kernel are resident together, at most as many as n values need.
template <class... Arguments>
int blocks_together(void (*kernel)(Arguments...), int n) {
    // TODO(2): Ask how many blocks of kBlock threads a multiprocessor holds of this kernel
    // (cudaOccupancyMaxActiveBlocksPerMultiprocessor) and how many multiprocessors there are
    // (cudaDevAttrMultiProcessorCount). About 5 lines.
    // BEGIN SOLUTION 2
    int device = 0, processors = 0, each = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, kBlock, 0));
    return std::min(kit::ceil_div(n, kBlock), each * processors);
    // STARTER KIT_TODO(2, kernel, n);
    // STARTER return 1;
    // END SOLUTION 2
}

void grid_barrier(int* even, int* odd, int n, int rounds, Barrier barrier) {
    const int blocks = blocks_together(smooth_v5_own_barrier, n);
    // TODO(3): Launch smooth_v5_own_barrier so that all its blocks are resident together, or the launch is refused. 2 lines;
    // grid_sync() below does it.
    // BEGIN SOLUTION 3
    void* arguments[] = {&even, &odd, &n, &rounds, &barrier};
    CUDA_CHECK(cudaLaunchCooperativeKernel(smooth_v5_own_barrier, dim3(blocks), dim3(kBlock), arguments));
    // STARTER (void)even, (void)odd, (void)rounds, (void)barrier, (void)blocks;
    // STARTER KIT_TODO(3);
    // END SOLUTION 3
}

void grid_sync(int* even, int* odd, int n, int rounds) {
    const int blocks = blocks_together(smooth_v6_grid_sync, n);
    void* arguments[] = {&even, &odd, &n, &rounds};
    CUDA_CHECK(cudaLaunchCooperativeKernel(smooth_v6_grid_sync, dim3(blocks), dim3(kBlock), arguments));
}

}  // namespace memory_model

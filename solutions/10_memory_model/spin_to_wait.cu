// 10_memory_model/spin_to_wait: running totals from block to block, without spinning.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests spin_to_wait.cu
//        ../../tests/10_memory_model/spin_to_wait_test.cu -o spin_to_wait
// Run:   ./spin_to_wait
//
//   v2  chain_v2_wait: each block waits for the previous block, with wait() and notify_one()

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cuda/atomic>

#include "10_memory_model/10_memory_model.hpp"
#include "kit.cuh"

namespace cg = cooperative_groups;

namespace memory_model {

/// Sums one value per thread of the block. All threads call it, and thread 0 receives the sum.
__device__ int sum_of_block(int value) {
    __shared__ int sum;
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    value = cg::reduce(warp, value, cg::plus<int>());
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    if (warp.thread_rank() == 0) atomicAdd_block(&sum, value);  // one atomic per warp
    __syncthreads();
    return sum;
}

// v2: like the polls of message_passing, but a waiting thread polls rarely.
// Mapping : one block per share; thread 0 of the block waits and passes the total on.
// Cost    : n reads, and a chain of as many messages as there are blocks.
// Requires: all blocks are resident at the same time.
// [chain]
__global__ void chain_v2_wait(const int* in, int n, int* passed, int* totals) {
    int b = blockIdx.x, share = kit::ceil_div(n, static_cast<int>(gridDim.x));
    int mine = 0;
    for (int i = b * share + threadIdx.x; i < min(n, (b + 1) * share); i += kBlock) mine += in[i];
    int total = sum_of_block(mine);
    if (threadIdx.x != 0) return;

    if (b > 0) {
        cuda::atomic_ref<int, cuda::thread_scope_device> before(passed[b - 1]);
        // TODO(1): Wait until the previous block has passed its total on, then add it. wait(old, order) returns when the value is
        // no longer `old`. No other block reads this flag, so set it to 0 again. About 3 lines.
        // BEGIN SOLUTION 1
        before.wait(0, cuda::memory_order_acquire);
        total += totals[b - 1];
        before.store(0, cuda::memory_order_relaxed);  // no thread reads it again during this launch
        // STARTER KIT_TODO(1, before, total);
        // END SOLUTION 1
    }
    totals[b] = total;
    if (b + 1 < static_cast<int>(gridDim.x)) {
        cuda::atomic_ref<int, cuda::thread_scope_device> next(passed[b]);
        // TODO(2): Publish that the total is written, and wake the thread that waits for it. 2 lines.
        // BEGIN SOLUTION 2
        next.store(1, cuda::memory_order_release);
        next.notify_one();
        // STARTER KIT_TODO(2, next);
        // END SOLUTION 2
    }
}
// [/chain]

void spin_to_wait(const int* in, int n, int blocks, int* passed, int* totals) {
    void* arguments[] = {&in, &n, &passed, &totals};
    CUDA_CHECK(cudaLaunchCooperativeKernel(chain_v2_wait, dim3(blocks), dim3(kBlock), arguments));
}

}  // namespace memory_model

// 10_memory_model/spin_to_wait: a chain of blocks that spin or call wait(), with a count for your choice.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests spin_to_wait.cu
//        ../../tests/10_memory_model/spin_to_wait_test.cu -o spin_to_wait
// Run:   ./spin_to_wait
//
//   v2  chain_v2: each block waits for the previous block, and counts its polls

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

// v2: like the polls of message_passing, but each block counts them, and the count decides between a loop and wait().
// Mapping : one block per share; thread 0 of the block waits and passes the total on.
// Cost    : n reads, and a chain of as many messages as there are blocks.
// Requires: all blocks are resident at the same time.
// [chain]
__global__ void chain_v2(const int* in, int n, int* passed, int* polls, int* totals) {
    int b = blockIdx.x, share = kit::ceil_div(n, static_cast<int>(gridDim.x));
    int mine = 0;
    for (int i = b * share + threadIdx.x; i < min(n, (b + 1) * share); i += kBlock) mine += in[i];
    int total = sum_of_block(mine);
    if (threadIdx.x != 0) return;

    int failed = 0;
    if (b > 0) {
        cuda::atomic_ref<int, cuda::thread_scope_device> before(passed[b - 1]);
        // TODO(1): Wait until the previous block has passed its total on, either in a loop or with wait(old, order). Count in
        // `failed` how many times you find 0, or call wait(). Then add the total. No other block reads this flag, so set it to 0
        // again. About 3 lines.
        KIT_TODO(1, before, total);
    }
    polls[b] = failed;
    totals[b] = total;
    if (b + 1 < static_cast<int>(gridDim.x)) {
        cuda::atomic_ref<int, cuda::thread_scope_device> next(passed[b]);
        // TODO(2): Publish that the total is written. If the next block waits with wait(), wake it. About 1 line.
        KIT_TODO(2, next);
    }
}
// [/chain]

Way spin_to_wait(const int* in, int n, int blocks, int* passed, int* polls, int* totals) {
    void* arguments[] = {&in, &n, &passed, &polls, &totals};
    CUDA_CHECK(cudaLaunchCooperativeKernel(chain_v2, dim3(blocks), dim3(kBlock), arguments));
    // TODO(3): Return the way that Task 1 waits, after you have justified it: the contract limits the polls of a block that spins.
    // 1 line.
    KIT_TODO(3);
    return Way::wait;
}

}  // namespace memory_model

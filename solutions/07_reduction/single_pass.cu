// 07_reduction/single_pass: a sum in one launch, in which the last block finishes.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests single_pass.cu
//        ../../tests/07_reduction/single_pass_test.cu -o single_pass
// Run:   ./single_pass
//
//   v6  single_pass_v6_atomic: like v5 over any n; every block adds its sum to the result (given)
//   v7  single_pass_v7_last_block: like v6, but the last block adds the blocks' sums in a fixed order

#include <algorithm>

#include "07_reduction/07_reduction.hpp"
#include "07_reduction/sum_of_warp.hpp"
#include "kit.cuh"

namespace reduction {

/// Sums one value per thread of a block of kBlock threads; thread 0 gets the sum. All threads of the block call
/// it. Two calls in one kernel need a barrier between them, because the second call overwrites values that the
/// first call reads.
__device__ double block_sum(double value) {
    static_assert(kBlock % 32 == 0 && kBlock <= 1024,
                  "whole warps, and one value per warp fits into one warp");
    __shared__ double warp_sums[kBlock / 32];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    value = sum_of_warp(value);
    if (lane == 0) warp_sums[warp] = value;
    __syncthreads();  // the first warp reads the sums that all warps wrote
    if (warp == 0) value = sum_of_warp(lane < kBlock / 32 ? warp_sums[lane] : 0.0);
    return value;
}

/// Sums the elements that the grid assigns to the calling thread.
__device__ double thread_sum(const float* in, int n) {
    double sum = 0;
    for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock) sum += in[i];
    return sum;
}

/// Returns a number of blocks that depends only on n, so that the order of the additions depends only on n, too.
int blocks_for(int n) {
    return std::clamp(kit::ceil_div(n, kTile), 1, kMaxBlocks);
}

// v6: like v5, but each thread sums a grid-stride share in double, and thread 0 adds the block's sum to the result.
// Mapping : grid-stride; one atomic addition per block, all on one address.
// Cost    : 1 global read per element; 1 barrier and 1 atomic per block; one more operation clears the result.
// Requires: *out is 0 when the kernel starts.
// Next    : blocks finish in any order, so the last bits of the sum vary from call to call; see v7.
// [v6]
__global__ void single_pass_v6_atomic(const float* in, int n, double* out) {
    double sum = block_sum(thread_sum(in, n));
    if (threadIdx.x == 0) atomicAdd(out, sum);
}
// [/v6]

void atomic_per_block(const float* in, int n, double* out) {
    CUDA_CHECK(cudaMemsetAsync(out, 0, sizeof(double)));
    single_pass_v6_atomic<<<blocks_for(n), kBlock>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}

// v7: like v6, but a block stores its sum in memory and draws a ticket. The block that draws the last ticket knows that
//     all other sums have been stored, and adds them in the order of the blocks.
// Mapping : grid-stride; partials[b] is the sum of block b.
// Cost    : as v6, and the last block reads one value per block. No block ever waits for another block.
// Requires: *ticket is 0 when the kernel starts; it is 0 again when the kernel has finished.
// Next    : 4-byte loads, one at a time, keep too few bytes in flight; see v8 in fast.cu.
// [v7]
__global__ void single_pass_v7_last_block(const float* in, int n, double* out, Workspace workspace) {
    __shared__ bool is_last;
    double sum = block_sum(thread_sum(in, n));

    // TODO(1): Let thread 0, which has the sum, store it in workspace.partials and then draw a ticket: atomicAdd on
    // workspace.ticket returns how many blocks came before. Put a __threadfence() between the two, so that a thread that sees
    // the ticket also sees the sum. Put a second one after the draw, so that values which this block reads later are not
    // older than the ticket. Set is_last, and let all threads of the block see it. About 8 lines.
    // BEGIN SOLUTION 1
    if (threadIdx.x == 0) {
        workspace.partials[blockIdx.x] = sum;
        __threadfence();  // release: the sum is visible to all blocks before the ticket is drawn
        unsigned int blocks_before = atomicAdd(workspace.ticket, 1u);
        __threadfence();  // acquire: the values read below are not older than the other tickets
        is_last = blocks_before == gridDim.x - 1;
    }
    __syncthreads();  // all threads read is_last, and block_sum may be called again
    // STARTER is_last = false;
    // STARTER KIT_TODO(1, sum, out, workspace);
    // END SOLUTION 1

    if (!is_last) return;

    // TODO(2): Add up the partial sums with all threads of this block, always in the same order. Thread 0 writes
    // *out. About 4 lines; block_sum helps.
    // BEGIN SOLUTION 2
    sum = 0;
    for (int b = threadIdx.x; b < static_cast<int>(gridDim.x); b += kBlock) sum += workspace.partials[b];
    sum = block_sum(sum);
    if (threadIdx.x == 0) *out = sum;
    // STARTER KIT_TODO(2, workspace, out);
    // END SOLUTION 2

    // TODO(3): Leave the workspace as you found it, so that the next call works, too. 1 line.
    // BEGIN SOLUTION 3
    if (threadIdx.x == 0) *workspace.ticket = 0;
    // STARTER KIT_TODO(3, workspace);
    // END SOLUTION 3
}
// [/v7]

void single_pass(const float* in, int n, double* out, Workspace workspace) {
    single_pass_v7_last_block<<<blocks_for(n), kBlock>>>(in, n, out, workspace);
    CUDA_CHECK_LAUNCH();
}

}  // namespace reduction

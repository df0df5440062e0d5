// 07_reduction/tree_divergent: the first tree, which adds neighbours first.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests tree_divergent.cu
//        ../../tests/07_reduction/tree_divergent_test.cu -o tree_divergent
// Run:   ./tree_divergent
//
//   v1  tree_v1_divergent: neighbours first; the active threads are spread over all warps

#include "07_reduction/07_reduction.hpp"
#include "kit.cuh"

namespace reduction {

// v1: shared-memory tree, neighbours first. n - 1 additions in log2(kBlock) steps instead of n - 1 steps.
// Mapping : one thread per element, one block per kBlock elements; result in element 0 of the tile.
// Cost    : 1 global read per element; log2(kBlock) + 1 barriers; every warp stays busy in every step.
// Requires: kBlock is a power of two; n need not be a multiple of it.
// Next    : half of the lanes are idle in step 1, three quarters in step 2; see v2 in tree.cu.
// [kernel]
__global__ void tree_v1_divergent(const float* in, int n, float* block_sums) {
    static_assert((kBlock & (kBlock - 1)) == 0, "the tree halves the tile until one element is left");
    __shared__ float tile[kBlock];
    int t = threadIdx.x;
    int i = blockIdx.x * kBlock + t;

    // TODO(1): Put element i into the tile. Past the end of `in`, put the identity of the sum instead. 1 line.
    // BEGIN SOLUTION 1
    tile[t] = i < n ? in[i] : 0.0f;
    // STARTER KIT_TODO(1, in, n, i, t, tile);
    // END SOLUTION 1

    // TODO(2): For stride = 1, 2, 4, ... below kBlock: wait until the previous step is complete. Then let each
    // thread t that is a multiple of 2 * stride add element t + stride to element t. About 4 lines.
    // BEGIN SOLUTION 2
    for (int stride = 1; stride < kBlock; stride *= 2) {
        __syncthreads();  // this step reads values that other threads wrote in the previous step
        if (t % (2 * stride) == 0) tile[t] += tile[t + stride];
    }
    // STARTER KIT_TODO(2, t, tile);
    // END SOLUTION 2

    // Thread 0 wrote element 0 itself, so it needs no barrier before reading it.
    if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// [/kernel]

void tree_divergent(const float* in, int n, float* block_sums) {
    // TODO(3): Launch one block per kBlock elements; the last block may be only partly full. For n = 0, launch nothing,
    // because a grid of 0 blocks is an error. Check the launch. 3 lines; kit::ceil_div helps.
    // BEGIN SOLUTION 3
    if (n == 0) return;
    tree_v1_divergent<<<kit::ceil_div(n, kBlock), kBlock>>>(in, n, block_sums);
    CUDA_CHECK_LAUNCH();
    // STARTER KIT_TODO(3, in, n, block_sums);
    // END SOLUTION 3
}

}  // namespace reduction

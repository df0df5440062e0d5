// 07_reduction/tree: the converged tree, with two loads per thread.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests tree.cu
//        ../../tests/07_reduction/tree_test.cu -o tree
// Run:   ./tree
//
//   v2  tree_v2_converged: halves first; in each step, a warp works with all its lanes or not at all
//   v3  tree_v3_two_loads: like v2, but each thread adds two elements as it loads them

#include "07_reduction/07_reduction.hpp"
#include "kit.cuh"

namespace reduction {

/// Sums the kBlock values of a tile in shared memory. The threads of the block have just written them, one value
/// each. All threads of the block call it; thread 0 gets the sum.
// [sum_tile]
__device__ float sum_tile(float* tile) {
    static_assert((kBlock & (kBlock - 1)) == 0, "the tree halves the tile until one element is left");
    int t = threadIdx.x;
    // TODO(1): For stride = kBlock / 2, ..., 2, 1: wait until the previous step is complete. Then let each
    // thread t below `stride` add element t + stride to element t. About 4 lines.
    // BEGIN SOLUTION 1
    for (int stride = kBlock / 2; stride > 0; stride /= 2) {
        __syncthreads();  // this step reads values that other threads wrote in the previous step
        if (t < stride) tile[t] += tile[t + stride];
    }
    // STARTER KIT_TODO(1, t);
    // END SOLUTION 1
    return tile[t];  // thread t reads the element that it wrote itself; only thread 0's is complete
}
// [/sum_tile]

// v2: like v1, but the second half of the tile is added to the first half, and so on, so the first threads do the work.
// Mapping : one thread per element, one block per kBlock elements.
// Cost    : as v1, but a warp works with all its lanes or not at all; lanes idle only in the last five steps.
// Requires: kBlock is a power of two; n need not be a multiple of it.
// Next    : half of the threads do nothing after their load; see v3.
// [v2]
__global__ void tree_v2_converged(const float* in, int n, float* block_sums) {
    __shared__ float tile[kBlock];
    int t = threadIdx.x;
    int i = blockIdx.x * kBlock + t;
    tile[t] = i < n ? in[i] : 0.0f;
    float sum = sum_tile(tile);
    if (t == 0) block_sums[blockIdx.x] = sum;
}
// [/v2]

void tree_converged(const float* in, int n, float* block_sums) {
    if (n == 0) return;
    tree_v2_converged<<<kit::ceil_div(n, kBlock), kBlock>>>(in, n, block_sums);
    CUDA_CHECK_LAUNCH();
}

// v3: like v2, but each thread loads two elements, kBlock apart, and adds them: half as many blocks.
// Mapping : thread t of block b takes elements b * kTile + t and b * kTile + t + kBlock.
// Cost    : 1 global read per element; the barriers of v2 for twice the elements.
// Requires: kBlock is a power of two; n need not be a multiple of kTile; the second half of the last tile may be missing.
// Next    : in the last five steps most lanes are idle, and each step has a barrier; see v5 in warp_shuffle.cu.
// [v3]
__global__ void tree_v3_two_loads(const float* in, int n, float* block_sums) {
    __shared__ float tile[kBlock];
    int t = threadIdx.x;
    int first = blockIdx.x * kTile + t;
    int second = first + kBlock;
    // TODO(2): Put the sum of both elements into the tile. In the last block, either element may be missing. 4 lines.
    // BEGIN SOLUTION 2
    float sum = first < n ? in[first] : 0.0f;
    if (second < n) sum += in[second];
    tile[t] = sum;
    sum = sum_tile(tile);
    // STARTER KIT_TODO(2, in, n, first, second);
    // STARTER float sum = sum_tile(tile);
    // END SOLUTION 2
    if (t == 0) block_sums[blockIdx.x] = sum;
}
// [/v3]

void tree(const float* in, int n, float* block_sums) {
    // TODO(3): Launch v3 with one block per kTile elements, or nothing for n = 0. Check the launch. 3 lines.
    // BEGIN SOLUTION 3
    if (n == 0) return;
    tree_v3_two_loads<<<kit::ceil_div(n, kTile), kBlock>>>(in, n, block_sums);
    CUDA_CHECK_LAUNCH();
    // STARTER KIT_TODO(3, in, n, block_sums);
    // END SOLUTION 3
}

}  // namespace reduction

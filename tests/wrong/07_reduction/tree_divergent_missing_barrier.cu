// wrong: No barrier between the steps of the tree.
// diagnosis: race on
// diagnosis: Task 2, "the tree", in exercises/07_reduction/README.md, and lectures/diagnoses/race.md
// backends: cpu (on a GPU the warps may happen to run in step, and the sums come out right)
// sanitizer.says: race on

#include "07_reduction/07_reduction.hpp"
#include "kit.cuh"

namespace reduction {

__global__ void tree_v1_divergent(const float* in, int n, float* block_sums) {
    static_assert((kBlock & (kBlock - 1)) == 0, "the tree halves the tile until one element is left");
    __shared__ float tile[kBlock];
    int t = threadIdx.x;
    int i = blockIdx.x * kBlock + t;

    tile[t] = i < n ? in[i] : 0.0f;

    for (int stride = 1; stride < kBlock; stride *= 2) {
        if (t % (2 * stride) == 0) tile[t] += tile[t + stride];
    }

    // Thread 0 wrote element 0 itself: no barrier is needed before it reads it.
    if (t == 0) block_sums[blockIdx.x] = tile[0];
}

void tree_divergent(const float* in, int n, float* block_sums) {
    if (n == 0) return;
    tree_v1_divergent<<<kit::ceil_div(n, kBlock), kBlock>>>(in, n, block_sums);
    CUDA_CHECK_LAUNCH();
}

}  // namespace reduction

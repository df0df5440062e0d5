// wrong: Only the second load has a guard; in the last block the first may be beyond the end as well.
// diagnosis.gpu: NaN or infinity
// diagnosis.gpu: only the ragged last block is wrong
// diagnosis.cpu: out of bounds

#include "07_reduction/07_reduction.hpp"
#include "kit.cuh"

namespace reduction {

__device__ float sum_tile(float* tile) {
    static_assert((kBlock & (kBlock - 1)) == 0, "the tree halves the tile until one element is left");
    int t = threadIdx.x;
    for (int stride = kBlock / 2; stride > 0; stride /= 2) {
        __syncthreads();  // other threads wrote, in the step before, what this step reads
        if (t < stride) tile[t] += tile[t + stride];
    }
    return tile[t];  // thread t reads what it wrote itself; only that of thread 0 is complete
}

__global__ void tree_v2_converged(const float* in, int n, float* block_sums) {
    __shared__ float tile[kBlock];
    int t = threadIdx.x;
    int i = blockIdx.x * kBlock + t;
    tile[t] = i < n ? in[i] : 0.0f;
    float sum = sum_tile(tile);
    if (t == 0) block_sums[blockIdx.x] = sum;
}

void tree_converged(const float* in, int n, float* block_sums) {
    if (n == 0) return;
    tree_v2_converged<<<kit::ceil_div(n, kBlock), kBlock>>>(in, n, block_sums);
    CUDA_CHECK_LAUNCH();
}

__global__ void tree_v3_two_loads(const float* in, int n, float* block_sums) {
    __shared__ float tile[kBlock];
    int t = threadIdx.x;
    int first = blockIdx.x * kTile + t;
    int second = first + kBlock;
    float sum = in[first];
    if (second < n) sum += in[second];
    tile[t] = sum;
    sum = sum_tile(tile);
    if (t == 0) block_sums[blockIdx.x] = sum;
}

void tree(const float* in, int n, float* block_sums) {
    if (n == 0) return;
    tree_v3_two_loads<<<kit::ceil_div(n, kTile), kBlock>>>(in, n, block_sums);
    CUDA_CHECK_LAUNCH();
}

}  // namespace reduction

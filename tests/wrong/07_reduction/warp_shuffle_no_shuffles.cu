// wrong: The tree in shared memory again: right, but not what was asked.
// diagnosis: fewer than five shuffles per warp
// backends: cpu (a GPU does not tell how many shuffles were executed)
// sanitizer.all: the numbers are right: only the executor counts shuffles

#include "07_reduction/07_reduction.hpp"
#include "kit.cuh"

namespace reduction {

__global__ void warp_shuffle_v5(const float* in, int n, float* block_sums) {
    static_assert(kBlock % 32 == 0 && kBlock <= 1024,
                  "whole warps, and one value per warp fits into one warp");
    __shared__ float tile[kBlock];
    int t = threadIdx.x;
    int first = blockIdx.x * kTile + t;
    int second = first + kBlock;
    float value = first < n ? in[first] : 0.0f;
    if (second < n) value += in[second];

    tile[t] = value;
    for (int stride = kBlock / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride) tile[t] += tile[t + stride];
    }
    value = tile[t];

    if (t == 0) block_sums[blockIdx.x] = value;
}

void warp_shuffle(const float* in, int n, float* block_sums) {
    if (n == 0) return;
    warp_shuffle_v5<<<kit::ceil_div(n, kTile), kBlock>>>(in, n, block_sums);
    CUDA_CHECK_LAUNCH();
}

}  // namespace reduction

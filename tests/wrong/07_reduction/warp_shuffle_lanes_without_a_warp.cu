// wrong: All 32 lanes of the first warp read a sum, but there are only 8 warps.
// diagnosis: out of bounds
// backends: cpu (on a GPU the shared memory behind the array often holds zeros)

#include "07_reduction/07_reduction.hpp"
#include "kit.cuh"

namespace reduction {

__device__ float warp_sum(float value) {
    constexpr unsigned int all_lanes = 0xffffffffu;
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_down_sync(all_lanes, value, offset);
    }
    return value;
}

__global__ void warp_shuffle_v5(const float* in, int n, float* block_sums) {
    static_assert(kBlock % 32 == 0 && kBlock <= 1024,
                  "whole warps, and one value per warp fits into one warp");
    __shared__ float warp_sums[kBlock / 32];
    int t = threadIdx.x;
    int lane = t % 32;
    int warp = t / 32;
    int first = blockIdx.x * kTile + t;
    int second = first + kBlock;
    float value = first < n ? in[first] : 0.0f;
    if (second < n) value += in[second];

    value = warp_sum(value);

    if (lane == 0) warp_sums[warp] = value;
    __syncthreads();  // the first warp reads what all warps wrote
    if (warp != 0) return;
    value = warp_sum(warp_sums[lane]);

    if (t == 0) block_sums[blockIdx.x] = value;
}

void warp_shuffle(const float* in, int n, float* block_sums) {
    if (n == 0) return;
    warp_shuffle_v5<<<kit::ceil_div(n, kTile), kBlock>>>(in, n, block_sums);
    CUDA_CHECK_LAUNCH();
}

}  // namespace reduction

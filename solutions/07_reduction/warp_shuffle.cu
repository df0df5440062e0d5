// 07_reduction/warp_shuffle: a block's sum with one barrier.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests warp_shuffle.cu
//        ../../tests/07_reduction/warp_shuffle_test.cu -o warp_shuffle
// Run:   ./warp_shuffle
//
//   v5  warp_shuffle_v5: like v3, but each warp sums in registers, and shared memory holds one value per warp

#include "07_reduction/07_reduction.hpp"
#include "kit.cuh"

namespace reduction {

/// Sums one value per lane of a full warp. Lane 0 gets the sum; the results of the other lanes are of no use.
// [warp_sum]
__device__ float warp_sum(float value) {
    constexpr unsigned int all_lanes = 0xffffffffu;
    // TODO(1): For offset = 16, 8, 4, 2, 1, add the value of the lane that is `offset` lanes higher. Let every lane take
    // part in every step: __shfl_down_sync(all_lanes, value, offset). 3 lines.
    // BEGIN SOLUTION 1
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_down_sync(all_lanes, value, offset);
    }
    // STARTER KIT_TODO(1, all_lanes);
    // END SOLUTION 1
    return value;
}
// [/warp_sum]

// v5: like v3, but all steps within a warp, including the last five, need no shared memory and no barrier.
// Mapping : as v3; warp w of the block stores its sum in warp_sums[w].
// Cost    : 1 global read per element; 1 barrier and 2 x 5 shuffles per block instead of 8 barriers.
// Requires: whole warps, at most 32 of them; n can be any size.
// Next    : block sums are not the whole sum: add a second launch, atomics, or the last block done; see v6 and v7.
// [kernel]
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

    // TODO(2): Let the first lane of each warp put the warp's sum into warp_sums. When all sums have arrived, let the first
    // warp add them up; its lanes beyond the last warp contribute the identity. Only then may thread 0 write the
    // result. 4 lines.
    // BEGIN SOLUTION 2
    if (lane == 0) warp_sums[warp] = value;
    __syncthreads();  // the first warp reads the sums that all warps wrote
    if (warp != 0) return;
    value = warp_sum(lane < kBlock / 32 ? warp_sums[lane] : 0.0f);
    // STARTER KIT_TODO(2, lane, warp, warp_sums);
    // END SOLUTION 2

    if (t == 0) block_sums[blockIdx.x] = value;
}
// [/kernel]

void warp_shuffle(const float* in, int n, float* block_sums) {
    if (n == 0) return;
    warp_shuffle_v5<<<kit::ceil_div(n, kTile), kBlock>>>(in, n, block_sums);
    CUDA_CHECK_LAUNCH();
}

}  // namespace reduction

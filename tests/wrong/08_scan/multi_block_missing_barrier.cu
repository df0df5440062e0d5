// wrong: No barrier between the warps that write their sums and the warp that scans them.
// diagnosis: race on
// diagnosis: `warp_ends` (shared)
// backends: cpu (on a GPU the warps may happen to run in step, and the results come out right)
// sanitizer.says: race on

#include "08_scan/08_scan.hpp"
#include "kit.cuh"

namespace scan {

/// The inclusive scan of the values of a warp's 32 lanes. All lanes take part.
__device__ int warp_scan(int value) {
    int lane = threadIdx.x % 32;
    constexpr unsigned int all_lanes = 0xffffffffu;
    for (int offset = 1; offset < 32; offset *= 2) {
        int before = __shfl_up_sync(all_lanes, value, offset);
        if (lane >= offset) value += before;
    }
    return value;
}

/// The sum of `value` over all threads before this one, and in `total` over all threads of the block.
__device__ int block_scan(int value, int& total) {
    static_assert(kBlock % 32 == 0 && kBlock <= 1024,
                  "whole warps, and one value per warp fits into one warp");
    constexpr int warps = kBlock / 32;
    __shared__ int warp_ends[warps];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int inclusive = warp_scan(value);
    int exclusive = inclusive - value;
    total = 0;

    if (lane == 31) warp_ends[warp] = inclusive;
    if (warp == 0) {
        int ends = warp_scan(lane < warps ? warp_ends[lane] : 0);
        if (lane < warps) warp_ends[lane] = ends;
    }
    __syncthreads();  // all warps read what the first one wrote
    if (warp > 0) exclusive += warp_ends[warp - 1];
    total = warp_ends[warps - 1];
    return exclusive;
}

__global__ void multi_block_v6_tiles(const int* in, int n, int* out, int* sums) {
    constexpr int items = kBlockTile / kBlock;
    int first = blockIdx.x * kBlockTile + threadIdx.x * items;
    int values[items];
    int thread_sum = 0;
#pragma unroll
    for (int k = 0; k < items; ++k) {
        values[k] = first + k < n ? in[first + k] : 0;
        thread_sum += values[k];
    }

    int total;
    int before = block_scan(thread_sum, total);

#pragma unroll
    for (int k = 0; k < items; ++k) {
        if (first + k < n) out[first + k] = before;
        before += values[k];
    }
    if (threadIdx.x == 0 && sums != nullptr) sums[blockIdx.x] = total;
}

__global__ void multi_block_v6_add(int* out, int n, const int* offsets) {
    int first = blockIdx.x * kBlockTile;
    int offset = offsets[blockIdx.x];
    for (int i = first + threadIdx.x; i < n && i < first + kBlockTile; i += kBlock) out[i] += offset;
}

void multi_block(const int* in, int n, int* out, int* scratch) {
    if (n == 0) return;
    int blocks = kit::ceil_div(n, kBlockTile);
    int* sums = blocks > 1 ? scratch : nullptr;
    multi_block_v6_tiles<<<blocks, kBlock>>>(in, n, out, sums);
    CUDA_CHECK_LAUNCH();
    if (blocks == 1) return;

    multi_block(sums, blocks, sums, scratch + blocks);
    multi_block_v6_add<<<blocks, kBlock>>>(out, n, sums);
    CUDA_CHECK_LAUNCH();
}

}  // namespace scan

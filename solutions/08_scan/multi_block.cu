// 08_scan/multi_block: a scan of any size: warps, blocks, sums of sums.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests multi_block.cu
//        ../../tests/08_scan/multi_block_test.cu -o multi_block
// Run:   ./multi_block
//
//   v6  multi_block_v6_tiles, multi_block_v6_add: warps scan with shuffles; the sums of the tiles are scanned
//       by the same function

#include "08_scan/08_scan.hpp"
#include "kit.cuh"

namespace scan {

/// Returns the inclusive scan of the values of a warp's 32 lanes. All lanes call it.
// [warp_scan]
__device__ int warp_scan(int value) {
    int lane = threadIdx.x % 32;
    // TODO(1): For offset = 1, 2, ..., 16: get the value of the lane that is `offset` lanes lower, and add it if there is
    // such a lane. Use __shfl_up_sync with the mask 0xffffffffu (all lanes). About 5 lines.
    // BEGIN SOLUTION 1
    constexpr unsigned int all_lanes = 0xffffffffu;
    for (int offset = 1; offset < 32; offset *= 2) {
        int before = __shfl_up_sync(all_lanes, value, offset);
        if (lane >= offset) value += before;
    }
    // STARTER KIT_TODO(1, lane);
    // END SOLUTION 1
    return value;
}
// [/warp_scan]

/// Returns the sum of `value` over all threads before this one, and sets `total` to the sum over the whole block.
// [block_scan]
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

    // TODO(2): Let the last lane of each warp write the warp's sum to warp_ends. The first warp scans these sums; its lanes
    // without a warp contribute 0. Then let every thread add the sum of all earlier warps to `exclusive`, and get the sum
    // of the whole block into `total`. Two barriers. About 9 lines.
    // BEGIN SOLUTION 2
    if (lane == 31) warp_ends[warp] = inclusive;
    __syncthreads();  // the first warp reads the sums that all warps wrote
    if (warp == 0) {
        int ends = warp_scan(lane < warps ? warp_ends[lane] : 0);
        if (lane < warps) warp_ends[lane] = ends;
    }
    __syncthreads();  // all warps read the scan that the first warp wrote
    if (warp > 0) exclusive += warp_ends[warp - 1];
    total = warp_ends[warps - 1];
    // STARTER KIT_TODO(2, lane, warp, warp_ends);
    // END SOLUTION 2
    return exclusive;
}
// [/block_scan]

// v6: each block scans a tile with shuffles, exclusively, and stores the tile's sum. The same kernel scans these sums, and
//     a second kernel adds them to the tiles.
// Mapping : four neighbouring elements per thread, one block per kBlockTile elements.
// Cost    : reads and writes every element twice; 2 barriers per tile; 3 launches up to 2^20 elements, 5 up to
//           2^30.
// Requires: sums == nullptr or one place per block; `out` may be `in`, because a block reads its tile before it writes.
// Next    : elements are read and written twice only because a block does not know the sum of all earlier tiles; see
//           v8 in single_pass.cu.
// [tiles]
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
// [/tiles]

// [add]
__global__ void multi_block_v6_add(int* out, int n, const int* offsets) {
    // TODO(3): Add the offset of this tile to its kBlockTile elements, or to fewer where the array ends. Let neighbouring
    // threads take neighbouring elements. About 3 lines.
    // BEGIN SOLUTION 3
    int first = blockIdx.x * kBlockTile;
    int offset = offsets[blockIdx.x];
    for (int i = first + threadIdx.x; i < n && i < first + kBlockTile; i += kBlock) out[i] += offset;
    // STARTER KIT_TODO(3, out, n, offsets);
    // END SOLUTION 3
}
// [/add]

// [launches]
void multi_block(const int* in, int n, int* out, int* scratch) {
    if (n == 0) return;
    int blocks = kit::ceil_div(n, kBlockTile);
    int* sums = blocks > 1 ? scratch : nullptr;
    multi_block_v6_tiles<<<blocks, kBlock>>>(in, n, out, sums);
    CUDA_CHECK_LAUNCH();
    if (blocks == 1) return;

    // TODO(4): The sums of the tiles form an array of `blocks` elements, which may itself fill many tiles. Replace it by its
    // own exclusive scan, with the rest of `scratch` as scratch memory. Then add its elements to the tiles. 3 lines.
    // BEGIN SOLUTION 4
    multi_block(sums, blocks, sums, scratch + blocks);
    multi_block_v6_add<<<blocks, kBlock>>>(out, n, sums);
    CUDA_CHECK_LAUNCH();
    // STARTER KIT_TODO(4, out, scratch, sums);
    // END SOLUTION 4
}
// [/launches]

}  // namespace scan

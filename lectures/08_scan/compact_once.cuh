// v9 of the demo of 08_scan: compaction in one launch. Tickets and look-back are those of v8 (solutions/08_scan/single_pass.cu).
#pragma once

#include "look_back.cuh"

namespace scan_demo {

constexpr int kOnceThreads = 256;
constexpr int kOnceWarps = kOnceThreads / 32;
constexpr int kOnceRounds = 32;  // in each, a warp loads 32 neighbours
constexpr int kOnceTile = kOnceThreads * kOnceRounds;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int kOnceBlocks = 4;  // a multiprocessor of sm_75 has 1024 threads
#else
constexpr int kOnceBlocks = 5;
#endif

/// Keeps the positive values in their order. One word of the workspace per tile; needs no other memory.
__global__ void __launch_bounds__(kOnceThreads, kOnceBlocks)
    compact_v9_once(const int* in, int n, int* out, int* count, scan::PassWorkspace workspace) {
    __shared__ scan::Word drawn;
    __shared__ int kept_by[kOnceWarps], kept_before_tile;
    __shared__ int kept[kOnceTile];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0) drawn = draw(workspace.ticket);
    __syncthreads();  // all threads read what thread 0 has drawn
    const int tile = static_cast<int>(drawn & 0xffffffffu);
    const unsigned int call = static_cast<unsigned int>(drawn >> 32) & 0x3fffffffu;

    // 1. All loads, one after another; then the votes. A missing element counts as not positive.
    const int first = (tile * kOnceWarps + warp) * kOnceRounds * 32 + lane;
    int values[kOnceRounds];
    if ((tile + 1) * kOnceTile <= n) {
#pragma unroll
        for (int round = 0; round < kOnceRounds; ++round) values[round] = in[first + round * 32];
    } else {
#pragma unroll
        for (int round = 0; round < kOnceRounds; ++round)
            values[round] = first + round * 32 < n ? in[first + round * 32] : 0;
    }
    int kept_here = 0;
#pragma unroll
    for (int round = 0; round < kOnceRounds; ++round)
        kept_here += __popc(__ballot_sync(every_lane, values[round] > 0));
    if (lane == 0) kept_by[warp] = kept_here;
    __syncthreads();  // every warp reads what all warps wrote

    // 2. Publish the sum of the tile as soon as it is known, because other blocks wait for it.
    const int of_warp = lane < kOnceWarps ? kept_by[lane] : 0;
    const int inclusive = inclusive_in_warp(of_warp);
    const int all = __shfl_sync(every_lane, inclusive, 31);
    int place = __shfl_sync(every_lane, inclusive - of_warp, warp);
    if (threadIdx.x == 0 && tile > 0) tell(workspace.words[tile], call, scan::Status::aggregate, all);

        // 3. Close the gaps in shared memory while the blocks of earlier tiles still count.
#pragma unroll
    for (int round = 0; round < kOnceRounds; ++round) {
        const unsigned int votes = __ballot_sync(every_lane, values[round] > 0);
        if (values[round] > 0) kept[place + __popc(votes & ((1u << lane) - 1))] = values[round];
        place += __popc(votes);
    }

    // 4. Only now find out where the tile belongs.
    if (warp == 0) {
        const int before = sum_before(workspace.words, tile, call);
        if (lane == 0) {
            tell(workspace.words[tile], call, scan::Status::prefix, before + all);
            if (tile == static_cast<int>(gridDim.x) - 1) *count = before + all;
            kept_before_tile = before;
        }
    }
    __syncthreads();  // all threads read `kept` and the start of the tile
    const int before = kept_before_tile;
    for (int i = static_cast<int>(threadIdx.x) - before % 32; i < all; i += kOnceThreads)  // whole sectors
        if (i >= 0) out[before + i] = kept[i];
}

inline void compact_once(const int* in, int n, int* out, int* count, scan::PassWorkspace workspace) {
    if (n == 0) return CUDA_CHECK(cudaMemsetAsync(count, 0, sizeof(int)));
    compact_v9_once<<<kit::ceil_div(n, kOnceTile), kOnceThreads>>>(in, n, out, count, workspace);
    CUDA_CHECK_LAUNCH();
}

}  // namespace scan_demo

// v10 of the demo of 08_scan: v8 with less time in which a block only waits.
#pragma once

#include <cstdint>

#include "look_back.cuh"

namespace scan_demo {

constexpr int kAheadThreads = 256;
constexpr int kAheadWarps = kAheadThreads / 32;
constexpr int kAheadRows = 12;
constexpr int kAheadTile = kAheadThreads * kAheadRows * 4;  // elements
constexpr int kLine = 32;                                   // ints that L2 fetches at once

/// Requests a line of 128 bytes into the L2 cache. No thread waits for it, and it needs no register.
__device__ inline void prefetch_to_l2([[maybe_unused]] const int* address) {
#ifndef KIT_CPU  // the executor has no caches
    asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#endif
}

// v10: like v8, but a block prefetches the lines of a later tile, and publishes its tile's sum before it scans the tile.
// Mapping : as v8: one block per tile, in the order of the tickets; 1536 neighbouring elements per warp.
// Cost    : as v8; a prefetch for every 32 elements.
// Requires: as v8. `ahead` tiles must fit into L2 next to the written data.
// Next    : no faster version is known. v8 without its look-back, and wrong, is within 4% of a copy.
__global__ void __launch_bounds__(kAheadThreads, 4)
    scan_v10_prefetched(const int* in, int n, int* out, scan::PassWorkspace workspace, bool aligned,
                        int ahead) {
    __shared__ scan::Word drawn;
    __shared__ int sum_of[kAheadWarps], before_tile;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0) drawn = draw(workspace.ticket);
    __syncthreads();  // all threads read what thread 0 has drawn
    const int tile = static_cast<int>(drawn & 0xffffffffu);
    const unsigned int call = static_cast<unsigned int>(drawn >> 32) & 0x3fffffffu;

    // 1. All loads of this tile; then the lines of a tile that will be drawn later.
    const bool whole = aligned && (tile + 1) * std::int64_t{kAheadTile} <= n;
    const int first = tile * kAheadTile + warp * kAheadRows * 128 + lane * 4;
    int4 rows[kAheadRows];
    if (whole) {
#pragma unroll
        for (int k = 0; k < kAheadRows; ++k) rows[k] = *reinterpret_cast<const int4*>(in + first + k * 128);
    } else {
#pragma unroll
        for (int k = 0; k < kAheadRows; ++k) {
            const int i = first + k * 128;
            rows[k] = {i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0, i + 2 < n ? in[i + 2] : 0,
                       i + 3 < n ? in[i + 3] : 0};
        }
    }
    // [ahead]
    const std::int64_t later = (tile + std::int64_t{ahead}) * kAheadTile;
    for (int i = threadIdx.x * kLine; i < kAheadTile && later + i < n; i += kAheadThreads * kLine)
        prefetch_to_l2(in + later + i);
    // [/ahead]

    // 2. First publish the sum of the tile, because other blocks wait for it.
    int sum = 0;
#pragma unroll
    for (int k = 0; k < kAheadRows; ++k) sum += rows[k].x + rows[k].y + rows[k].z + rows[k].w;
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(every_lane, sum, offset);
    if (lane == 0) sum_of[warp] = sum;
    __syncthreads();  // every warp reads what all warps wrote
    const int of_warp = lane < kAheadWarps ? sum_of[lane] : 0;
    const int inclusive = inclusive_in_warp(of_warp);
    int start = __shfl_sync(every_lane, inclusive - of_warp, warp);  // where this warp starts in the tile
    if (warp == 0) {
        const int all = __shfl_sync(every_lane, inclusive, 31);
        if (lane == 0 && tile > 0) tell(workspace.words[tile], call, scan::Status::aggregate, all);
        const int before = sum_before(workspace.words, tile, call);
        if (lane == 0) {
            tell(workspace.words[tile], call, scan::Status::prefix, before + all);
            before_tile = before;
        }
    }

    // 3. While the first warp looks back, the other warps scan their rows. offsets[k]: the sum before row k and this lane.
    int offsets[kAheadRows];
#pragma unroll
    for (int k = 0; k < kAheadRows; ++k) {
        const int vector = rows[k].x + rows[k].y + rows[k].z + rows[k].w;
        const int up_to_here = inclusive_in_warp(vector);
        offsets[k] = start + up_to_here - vector;
        start += __shfl_sync(every_lane, up_to_here, 31);
    }
    __syncthreads();  // all warps read where the tile begins

    // 4. Store the results with __stcs: they need not stay in L2, which holds the lines of later tiles.
    const int before = before_tile;
#pragma unroll
    for (int k = 0; k < kAheadRows; ++k) {
        const int i = first + k * 128;
        int4 result;
        result.x = before + offsets[k];
        result.y = result.x + rows[k].x;
        result.z = result.y + rows[k].y;
        result.w = result.z + rows[k].z;
        if (whole) {
            __stcs(reinterpret_cast<int4*>(out + i), result);
        } else {
            if (i < n) out[i] = result.x;
            if (i + 1 < n) out[i + 1] = result.y;
            if (i + 2 < n) out[i + 2] = result.z;
            if (i + 3 < n) out[i + 3] = result.w;
        }
    }
}

inline void prefetched(const int* in, int n, int* out, scan::PassWorkspace workspace) {
    if (n == 0) return;
    int device = 0, multiprocessors = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const bool aligned =
        (reinterpret_cast<std::uintptr_t>(in) | reinterpret_cast<std::uintptr_t>(out)) % 16 == 0;
    scan_v10_prefetched<<<kit::ceil_div(n, kAheadTile), kAheadThreads>>>(in, n, out, workspace, aligned,
                                                                         multiprocessors);
    CUDA_CHECK_LAUNCH();
}

}  // namespace scan_demo

// Tickets and look-back of v9 and v10 of the demo of 08_scan: those of v8 (solutions/08_scan/single_pass.cu).
#pragma once

#include <cuda/atomic>

#include "08_scan/08_scan.hpp"
#include "kit.cuh"

namespace scan_demo {

constexpr unsigned int every_lane = 0xffffffffu;

__device__ inline int inclusive_in_warp(int value) {
    for (int offset = 1; offset < 32; offset *= 2) {
        const int before = __shfl_up_sync(every_lane, value, offset);
        if (static_cast<int>(threadIdx.x % 32) >= offset) value += before;
    }
    return value;
}

/// The block's ticket: tile in the lower half, number of the call in the upper half. One thread draws it. The block that
/// draws the last ticket prepares the next call.
__device__ inline scan::Word draw(scan::Word* ticket) {
    const scan::Word drawn = atomicAdd(ticket, scan::Word{1});
    if (static_cast<unsigned int>(drawn) == gridDim.x - 1)
        atomicAdd(ticket, (scan::Word{1} << 32) - gridDim.x);
    return drawn;
}

using TileWord = cuda::atomic_ref<scan::Word, cuda::thread_scope_device>;

__device__ inline void tell(scan::Word& word, unsigned int call, scan::Status status, int value) {
    TileWord(word).store(scan::make_word(call, status, value), cuda::memory_order_relaxed);
}

/// The sum of all tiles before this one. One warp calls it, and reads 32 words at a time.
__device__ inline int sum_before(scan::Word* words, int tile, unsigned int call) {
    const int lane = threadIdx.x % 32;
    int sum = 0;
    for (int nearest = tile - 1; nearest >= 0; nearest -= 32) {
        const int mine = nearest - lane;
        scan::Word word = scan::make_word(call, scan::Status::prefix, 0);  // before tile 0: nothing
        do {
            if (mine >= 0) word = TileWord(words[mine]).load(cuda::memory_order_relaxed);
        } while (__any_sync(every_lane, scan::status_of(word, call) == scan::Status::none));
        const unsigned int prefixes =
            __ballot_sync(every_lane, scan::status_of(word, call) == scan::Status::prefix);
        const bool counts = ((prefixes ^ (prefixes - 1)) >> lane & 1) != 0;  // up to the first prefix
        sum += __shfl_sync(every_lane, inclusive_in_warp(counts ? scan::value_of(word) : 0), 31);
        if (prefixes != 0) break;
    }
    return sum;
}

}  // namespace scan_demo

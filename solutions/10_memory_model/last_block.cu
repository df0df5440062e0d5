// 10_memory_model/last_block: one ticket that releases and acquires.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests last_block.cu
//        ../../tests/10_memory_model/last_block_test.cu -o last_block
// Run:   ./last_block
//
//   v4  range_v4_last_block: one ticket per block, drawn by an update that both acquires and releases

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <algorithm>
#include <climits>
#include <cuda/atomic>

#include "10_memory_model/10_memory_model.hpp"
#include "kit.cuh"

namespace cg = cooperative_groups;

namespace memory_model {

__device__ Range both(Range a, Range b) {
    return {min(a.low, b.low), max(a.high, b.high)};
}

/// Returns the range over all threads of the block to each of them. All threads call it.
__device__ Range range_of_block(Range mine) {
    __shared__ Range all;
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    mine = {cg::reduce(warp, mine.low, cg::less<int>()), cg::reduce(warp, mine.high, cg::greater<int>())};
    __syncthreads();  // all threads have read the result of the previous call before thread 0 overwrites it
    if (threadIdx.x == 0) all = {INT_MAX, INT_MIN};
    __syncthreads();
    if (warp.thread_rank() == 0) {  // one pair of atomics per warp
        atomicMin_block(&all.low, mine.low);
        atomicMax_block(&all.high, mine.high);
    }
    __syncthreads();
    return all;
}

// v4: no block waits for another: the block that draws the last ticket knows that all others have drawn theirs.
// Mapping : grid-stride; work.ranges[b] is the range of block b.
// Cost    : 1 global read per element; per block 1 write and 1 atomic; the last block reads one value per block.
// Requires: *work.ticket is 0 when the kernel starts; it is 0 again when the kernel has finished.
__global__ void range_v4_last_block(const int* in, int n, RangeWork work, Range* out) {
    __shared__ bool is_last;
    Range mine{INT_MAX, INT_MIN};
    for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock)
        mine = both(mine, {in[i], in[i]});
    Range of_block = range_of_block(mine);
    if (threadIdx.x == 0) {
        // TODO(1): Store the range of the block in work.ranges. Then draw a ticket, with one update that publishes this range to
        // the other blocks, and makes their ranges visible to this block. Set is_last. About 3 lines.
        // BEGIN SOLUTION 1
        work.ranges[blockIdx.x] = of_block;
        cuda::atomic_ref<int, cuda::thread_scope_device> ticket(*work.ticket);
        is_last = ticket.fetch_add(1, cuda::memory_order_acq_rel) == static_cast<int>(gridDim.x) - 1;
        // STARTER is_last = false;
        // STARTER KIT_TODO(1, of_block, work);
        // END SOLUTION 1
    }
    __syncthreads();
    if (!is_last) return;

    // TODO(2): Combine the ranges of all blocks, with all threads of this block or with one. Write *out, and restore the value that
    // the ticket had before the launch. range_of_block helps if all threads combine. About 7 lines.
    // BEGIN SOLUTION 2
    Range all{INT_MAX, INT_MIN};
    for (int b = threadIdx.x; b < static_cast<int>(gridDim.x); b += kBlock) all = both(all, work.ranges[b]);
    all = range_of_block(all);
    if (threadIdx.x == 0) {
        *out = all;
        *work.ticket = 0;  // no race: every block has drawn its ticket, so no other block accesses it
    }
    // STARTER KIT_TODO(2, work, out);
    // END SOLUTION 2
}

void last_block(const int* in, int n, RangeWork work, Range* out) {
    int blocks = std::clamp(kit::ceil_div(n, 8 * kBlock), 1, kMaxBlocks);
    range_v4_last_block<<<blocks, kBlock>>>(in, n, work, out);
    CUDA_CHECK_LAUNCH();
}

}  // namespace memory_model

// 10_memory_model/last_block: a range in one launch; the last block to come combines what the others found.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests last_block.cu
//        ../../tests/10_memory_model/last_block_test.cu -o last_block
// Run:   ./last_block
//
//   v4  range_v4_last_block: one ticket per block, drawn with acquire and release in one

#include <algorithm>
#include <climits>
#include <cuda/atomic>

#include "10_memory_model/10_memory_model.hpp"
#include "kit.cuh"

namespace memory_model {

__device__ Range both(Range a, Range b) {
    return {min(a.low, b.low), max(a.high, b.high)};
}

/// The range over all threads of the block; each of them gets it.
__device__ Range range_of_block(Range mine) {
    __shared__ Range all;
    __syncthreads();  // of a call before: everybody has read its result
    if (threadIdx.x == 0) all = {INT_MAX, INT_MIN};
    __syncthreads();
    atomicMin_block(&all.low, mine.low);
    atomicMax_block(&all.high, mine.high);
    __syncthreads();
    return all;
}

// v4: nobody waits for anybody: who draws the last ticket knows that all others have drawn theirs.
// Mapping : grid-stride; work.ranges[b] is the range of block b.
// Cost    : 1 global read per element; per block 1 write and 1 atomic; the last block reads one value per block.
// Requires: *work.ticket is 0 when the kernel starts; it is 0 again when the kernel has ended.
__global__ void range_v4_last_block(const int* in, int n, RangeWork work, Range* out) {
    __shared__ bool is_last;
    Range mine{INT_MAX, INT_MIN};
    for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock)
        mine = both(mine, {in[i], in[i]});
    const Range of_block = range_of_block(mine);
    if (threadIdx.x == 0) {
        // TODO(1): Leave the range of the block in work.ranges and draw a ticket, in one update that tells the others of this
        // range, and this block of theirs. Set is_last. About 4 lines.
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

    // TODO(2): Combine the ranges of all blocks with all threads of this one, write *out, and leave the ticket as you found it.
    // About 7 lines; range_of_block helps.
    // BEGIN SOLUTION 2
    Range all{INT_MAX, INT_MIN};
    for (int b = threadIdx.x; b < static_cast<int>(gridDim.x); b += kBlock) all = both(all, work.ranges[b]);
    all = range_of_block(all);
    if (threadIdx.x == 0) {
        *out = all;
        *work.ticket = 0;  // all have drawn: nobody else looks at it
    }
    // STARTER KIT_TODO(2, work, out);
    // END SOLUTION 2
}

void last_block(const int* in, int n, RangeWork work, Range* out) {
    const int blocks = std::clamp(kit::ceil_div(n, 8 * kBlock), 1, kMaxBlocks);
    range_v4_last_block<<<blocks, kBlock>>>(in, n, work, out);
    CUDA_CHECK_LAUNCH();
}

}  // namespace memory_model

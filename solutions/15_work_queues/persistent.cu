// 15_work_queues/persistent: as many blocks as the device holds, which stay until the queue is empty, and leave it as it was.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests persistent.cu
//        ../../tests/15_work_queues/persistent_test.cu -o persistent
// Run:   ./persistent
//
//   v5  tasks_v5_persistent: like v3, with a table of the block's own, and a queue that is ready again

#include <algorithm>
#include <cuda/atomic>

#include "15_work_queues/15_work_queues.hpp"
#include "kit.cuh"

namespace work_queues {

[[maybe_unused]] constexpr unsigned int all_lanes = 0xffffffffu;
constexpr std::size_t kTableBytes = kTable * sizeof(std::uint32_t);

// v5: what a block needs for every task is made once for all tasks that it will do.
// Mapping : as many blocks as are resident at once; one claim of 32 tasks per warp.
// Cost    : one atomic per 32 tasks; the table is read once per block, not once per step; no launch or memset but this one.
// Requires: *queue is {0, 0}, and is so again afterwards; whole warps in a block.
// Next    : tasks that make tasks; see v7.
// [v5]
__global__ void tasks_v5_persistent(const Task* tasks, int n, const std::uint32_t* table, std::uint32_t* out,
                                    Queue* queue) {
    extern __shared__ std::uint32_t local[];  // kTable words
    unsigned int count = n;
    // TODO(1): Copy the table, all threads together. What must all have done before anybody takes a task? About 3 lines.
    // BEGIN SOLUTION 1
    for (int k = threadIdx.x; k < kTable; k += kBlock) local[k] = table[k];
    __syncthreads();  // all of the table is there
    // STARTER KIT_TODO(1, table, local);
    // END SOLUTION 1

    for (;;) {
        unsigned int begin = 0;
        if (threadIdx.x % kLanes == 0) begin = atomicAdd(&queue->next, kLanes);
        begin = __shfl_sync(all_lanes, begin, 0);
        if (begin >= count) break;
        unsigned int i = begin + threadIdx.x % kLanes;
        if (i < count) out[i] = work(local, tasks[i]);
    }

    // TODO(2): When all warps of the block are here, one thread counts the block as one that leaves. Who is the last of all
    // blocks sets `next` and `left` back; last_block of 10 says how it knows that nobody claims any more. About 8 lines.
    // BEGIN SOLUTION 2
    __syncthreads();  // none of this block claims any more
    if (threadIdx.x == 0) {
        cuda::atomic_ref<unsigned int, cuda::thread_scope_device> left(queue->left);
        if (left.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1) {
            queue->next = 0;
            queue->left = 0;
        }
    }
    // STARTER KIT_TODO(2, queue);
    // END SOLUTION 2
}
// [/v5]

// [launch]
void persistent(const Task* tasks, int n, const std::uint32_t* table, std::uint32_t* out, Queue* queue) {
    if (n == 0) return;
    // TODO(3): How many blocks of this kernel does a multiprocessor hold, and how many multiprocessors are there? No more blocks
    // than have a task for each of their threads. Launch. About 7 lines.
    // BEGIN SOLUTION 3
    int device = 0, processors = 0, each = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, tasks_v5_persistent, kBlock, kTableBytes));
    int blocks = std::min(each * processors, kit::ceil_div(n, kBlock));
    tasks_v5_persistent<<<blocks, kBlock, kTableBytes>>>(tasks, n, table, out, queue);
    CUDA_CHECK_LAUNCH();
    // STARTER KIT_TODO(3, tasks, table, out, queue, kTableBytes);
    // END SOLUTION 3
}
// [/launch]

}  // namespace work_queues

// 15_work_queues/persistent: a grid that fills the device, and a queue that resets itself.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests persistent.cu
//        ../../tests/15_work_queues/persistent_test.cu -o persistent
// Run:   ./persistent
//
//   v5  tasks_v5_persistent: like v3, but each block copies the table, and the last block resets the queue

#include <algorithm>
#include <cuda/atomic>

#include "15_work_queues/15_work_queues.hpp"
#include "kit.cuh"

namespace work_queues {

[[maybe_unused]] constexpr unsigned int all_lanes = 0xffffffffu;
constexpr std::size_t kTableBytes = kTable * sizeof(std::uint32_t);

// v5: each block prepares the data for its tasks once, for all tasks that it will do.
// Mapping : as many blocks as are resident together; a warp claims 32 tasks at a time.
// Cost    : one atomic per 32 tasks; global reads of the table once per block, not once per step; one launch and no memset.
// Requires: *queue is {0, 0}, which the kernel restores; whole warps in a block.
// Next    : tasks that create tasks; see v7.
// [v5]
__global__ void tasks_v5_persistent(const Task* tasks, int n, const std::uint32_t* table, std::uint32_t* out,
                                    Queue* queue) {
    extern __shared__ std::uint32_t local[];  // kTable words
    unsigned int count = n;
    // TODO(1): Copy the table with all threads. What must all threads have done before any of them takes a task? About 2 lines.
    // BEGIN SOLUTION 1
    for (int k = threadIdx.x; k < kTable; k += kBlock) local[k] = table[k];
    __syncthreads();  // every thread can read the whole table after all copies
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

    // TODO(2): When all warps of the block have arrived, let one thread count the block as leaving. The last block to leave
    // resets `next` and `left`; last_block of 10 shows how it knows that no other block still claims. About 8 lines.
    // BEGIN SOLUTION 2
    __syncthreads();  // all claims of this block come before the block is counted
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
    // TODO(3): Query how many blocks of this kernel a multiprocessor holds, and how many multiprocessors there are. Launch as
    // many blocks as fit, but no more than have a task for each of their threads. About 8 lines.
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

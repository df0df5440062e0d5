// 15_work_queues/warp_queue: one claim for a warp, and lanes that need not wait for the longest task.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests warp_queue.cu
//        ../../tests/15_work_queues/warp_queue_test.cu -o warp_queue
// Run:   ./warp_queue
//
//   v3  tasks_v3_warp: one lane claims 32 tasks for its warp
//   v4  tasks_v4_refill: like v3, but free lanes get new tasks while others go on

#include "15_work_queues/15_work_queues.hpp"
#include "kit.cuh"

namespace work_queues {

[[maybe_unused]] constexpr unsigned int all_lanes = 0xffffffffu;

/// Claims `count` tasks for the warp, and tells every lane the first of them. All lanes call it together, with the same count.
// [claim]
__device__ unsigned int claim(unsigned int* next, unsigned int count) {
    // TODO(1): One lane adds, and all learn what the counter was. About 3 lines.
    // BEGIN SOLUTION 1
    unsigned int begin = 0;
    if (threadIdx.x % kLanes == 0) begin = atomicAdd(next, count);
    return __shfl_sync(all_lanes, begin, 0);
    // STARTER KIT_TODO(1, next, count);
    // STARTER return 0xffffffffu;
    // END SOLUTION 1
}
// [/claim]

// v3: a warp takes 32 neighbouring tasks, a lane each.
// Mapping : a fixed number of warps, each comes again until nothing is left.
// Cost    : one atomic per 32 tasks; a warp still takes as long as the longest of its 32 tasks.
// Requires: *next is 0; whole warps in a block.
// Next    : 31 lanes wait for one; see v4.
// [v3]
__global__ void tasks_v3_warp(const Task* tasks, int n, const std::uint32_t* table, std::uint32_t* out,
                              unsigned int* next) {
    unsigned int count = n;
    unsigned int lane = threadIdx.x % kLanes;
    // TODO(2): Claim 32 tasks and do those that exist, a lane each; then again. Who may leave, and when? About 6 lines.
    // BEGIN SOLUTION 2
    for (;;) {
        unsigned int begin = claim(next, kLanes);
        if (begin >= count) return;  // the same in all lanes
        unsigned int i = begin + lane;
        if (i < count) out[i] = work(table, tasks[i]);
    }
    // STARTER KIT_TODO(2, tasks, table, out, next, count, lane, claim);
    // END SOLUTION 2
}
// [/v3]

// v4: like v3, but a task's loop is cut into pieces of kRun steps, between which free lanes get new tasks.
// Mapping : as v3; which lane does which task is known only when it happens.
// Cost    : one vote per kRun steps, and one atomic where a lane is free; nearly all lanes have work until the end.
// Requires: as v3.
// Next    : the workers come and go with each launch; see v5.
// [v4]
__global__ void tasks_v4_refill(const Task* tasks, int n, const std::uint32_t* table, std::uint32_t* out,
                                unsigned int* next) {
    unsigned int count = n;
    unsigned int lane = threadIdx.x % kLanes;
    unsigned int mine = count;  // my task; `count`: none
    unsigned int x = 0;         // how far it is
    int left = 0;               // steps that it still has
    bool more = true;           // are there tasks that nobody has claimed? The same in all lanes.
    for (;;) {
        // TODO(3): All lanes vote on who is free. If somebody is and there may be more, claim one task for each of these, and
        // let each find its own, as in take_place of 09; a lane whose task does not exist stays free. A claim that
        // reaches the end was the last one. About 12 lines.
        // BEGIN SOLUTION 3
        unsigned int free = __ballot_sync(all_lanes, mine == count);
        if (free != 0 && more) {
            unsigned int begin = claim(next, __popc(free));
            unsigned int i = begin + __popc(free & ((1u << lane) - 1));
            if (mine == count && i < count) {
                mine = i;
                x = tasks[i].seed;
                left = tasks[i].steps;
            }
            more = begin + __popc(free) < count;
        }
        // STARTER KIT_TODO(3, tasks, next, lane, x, left, more);
        // END SOLUTION 3

        // TODO(4): If no lane has a task, the warp is done. Otherwise make kRun steps, or as many as are left; who has made the last
        // one writes the result, and is free. About 6 lines.
        // BEGIN SOLUTION 4
        if (!__any_sync(all_lanes, mine < count)) return;
        for (int k = 0; k < kRun && left > 0; ++k, --left) x = step(table, x);
        if (mine < count && left == 0) {
            out[mine] = x;
            mine = count;
        }
        // STARTER KIT_TODO(4, table, out, mine);
        // STARTER return;
        // END SOLUTION 4
    }
}
// [/v4]

void warp_queue(const Task* tasks, int n, const std::uint32_t* table, std::uint32_t* out, unsigned int* next,
                int blocks) {
    CUDA_CHECK(cudaMemsetAsync(next, 0, sizeof(unsigned int)));
    tasks_v3_warp<<<blocks, kBlock>>>(tasks, n, table, out, next);
    CUDA_CHECK_LAUNCH();
}

void warp_refill(const Task* tasks, int n, const std::uint32_t* table, std::uint32_t* out, unsigned int* next,
                 int blocks) {
    CUDA_CHECK(cudaMemsetAsync(next, 0, sizeof(unsigned int)));
    tasks_v4_refill<<<blocks, kBlock>>>(tasks, n, table, out, next);
    CUDA_CHECK_LAUNCH();
}

}  // namespace work_queues

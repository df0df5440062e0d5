// 15_work_queues/warp_queue: one claim per warp, then lanes that refill.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests warp_queue.cu
//        ../../tests/15_work_queues/warp_queue_test.cu -o warp_queue
// Run:   ./warp_queue
//
//   v3  tasks_v3_warp: one lane claims 32 tasks for its warp
//   v4  tasks_v4_refill: like v3, but free lanes get new tasks while other lanes continue

#include "15_work_queues/15_work_queues.hpp"
#include "kit.cuh"

namespace work_queues {

[[maybe_unused]] constexpr unsigned int all_lanes = 0xffffffffu;

/// Claims `count` tasks for the warp, and returns the first of them in every lane. All lanes must call it with the same count.
// [claim]
__device__ unsigned int claim(unsigned int* next, unsigned int count) {
    // TODO(1): Let one lane add, and return the old value of the counter in all lanes. About 3 lines.
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
// Mapping : a fixed number of warps; each claims again until no task is left.
// Cost    : one atomic per 32 tasks; a warp still takes as long as the longest of its 32 tasks.
// Requires: *next is 0; whole warps in a block.
// Next    : 31 lanes wait for one; see v4.
// [v3]
__global__ void tasks_v3_warp(const Task* tasks, int n, const std::uint32_t* table, std::uint32_t* out,
                              unsigned int* next) {
    unsigned int count = n;
    unsigned int lane = threadIdx.x % kLanes;
    // TODO(2): Claim 32 tasks, do those that exist, one per lane, and claim again. When may a lane leave the loop? About 6 lines.
    // BEGIN SOLUTION 2
    for (;;) {
        unsigned int begin = claim(next, kLanes);
        if (begin >= count) return;  // all lanes leave, because begin is the same in all of them
        unsigned int i = begin + lane;
        if (i < count) out[i] = work(table, tasks[i]);
    }
    // STARTER KIT_TODO(2, tasks, table, out, next, count, lane, claim);
    // END SOLUTION 2
}
// [/v3]

// v4: like v3, but a task's loop is cut into pieces of kRun steps, between which free lanes get new tasks.
// Mapping : as v3, but a lane takes its next task when it is free, so the mapping is not fixed.
// Cost    : one vote per kRun steps, and one atomic if a lane is free; nearly all lanes have work until the end.
// Requires: as v3.
// Next    : each launch starts new workers and needs a reset counter; see v5.
// [v4]
__global__ void tasks_v4_refill(const Task* tasks, int n, const std::uint32_t* table, std::uint32_t* out,
                                unsigned int* next) {
    unsigned int count = n;
    unsigned int lane = threadIdx.x % kLanes;
    unsigned int mine = count;  // task of this lane; `count` if it has none
    unsigned int x = 0;         // result of the steps so far
    int left = 0;               // steps that are left
    bool more = true;           // whether unclaimed tasks may be left; the same in all lanes
    for (;;) {
        // TODO(3): Let all lanes vote on which of them are free. If any is free and there may be more tasks, claim one task per free
        // lane. A claim that reaches the end of the list is the last one. About 5 lines.
        unsigned int begin = count;  // first task of the claim; `count` if there is none
        // BEGIN SOLUTION 3
        unsigned int free = __ballot_sync(all_lanes, mine == count);
        if (free != 0 && more) {
            begin = claim(next, __popc(free));
            more = begin + __popc(free) < count;
        }
        // STARTER unsigned int free = 0;
        // STARTER KIT_TODO(3, next, more, begin);
        // END SOLUTION 3

        // TODO(4): Let each free lane find its own task of the claim, as in take_place of 09. A lane whose task does not exist stays
        // free. About 6 lines.
        // BEGIN SOLUTION 4
        unsigned int i = begin + __popc(free & ((1u << lane) - 1));
        if (mine == count && i < count) {
            mine = i;
            x = tasks[i].seed;
            left = tasks[i].steps;
        }
        // STARTER KIT_TODO(4, tasks, lane, free, begin, x, left);
        // END SOLUTION 4

        // TODO(5): Return if no lane has a task. Otherwise perform kRun steps, or as many as are left. A lane without any steps
        // left writes the result and is free. About 6 lines.
        // BEGIN SOLUTION 5
        if (!__any_sync(all_lanes, mine < count)) return;
        for (int k = 0; k < kRun && left > 0; ++k, --left) x = step(table, x);
        if (mine < count && left == 0) {
            out[mine] = x;
            mine = count;
        }
        // STARTER KIT_TODO(5, table, out, mine);
        // STARTER return;
        // END SOLUTION 5
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

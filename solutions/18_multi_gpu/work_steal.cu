// 18_multi_gpu/work_steal: tasks of uneven size on several PEs; a PE that has finished its own tasks takes others' tasks.
//
// Build: nvcc -std=c++17 -rdc=true -I../../common -I../../tests work_steal.cu
//        ../../tests/18_multi_gpu/work_steal_test.cu -lnvshmem_host -lnvshmem_device -o work_steal
// Run:   ./work_steal
//
//   v8  run_tasks: one ticket per task; a warp draws 32 of them at the PE that owns the tasks

#include <nvshmem.h>
#include <nvshmemx.h>

#include "18_multi_gpu/18_multi_gpu.hpp"
#include "kit.cuh"

namespace multi_gpu {

constexpr int kLanes = 32;
[[maybe_unused]] constexpr unsigned all_lanes = 0xffffffffu;
static_assert(kTakers % kLanes == 0, "whole warps draw tickets");

/// Performs `steps` steps of a random number generator and returns the last value.
__device__ unsigned work(unsigned steps) {
    unsigned value = 1;
    for (unsigned i = 0; i < steps; ++i) value = 1664525u * value + 1013904223u;
    return value;
}

// v8: like the work queue of lecture 15, but with one queue per PE, and every PE can draw from each of them.
// Mapping : one lane per task, as long as there are tasks.
// Cost    : one atomic per 32 tasks, remote only for tasks of other PEs; one extra atomic per warp and PE.
// Requires: tickets start at 0; a result is written to the PE that owns the task.
// Next    : the lanes of a warp wait for its longest task; sort the tasks by length.
// [steal]
__global__ void take_all(int* tickets, const unsigned* tasks, const int* counts, unsigned* results,
                         int* done) {
    int me = nvshmem_my_pe();
    int pes = nvshmem_n_pes();
    int lane = threadIdx.x % kLanes;
    for (int i = 0; i < pes; ++i) {
        // TODO(1): Choose the PE to take tasks from: first this PE itself, then the PEs after it, around the ring. 1 line.
        int owner = 0;
        // BEGIN SOLUTION 1
        owner = (me + i) % pes;
        // STARTER KIT_TODO(1, me, i, pes);
        // END SOLUTION 1

        // TODO(2): Read how many tasks the owner has. `counts` is symmetric: each PE stores its own number there. 1 line.
        int count = 0;
        // BEGIN SOLUTION 2
        count = nvshmem_int_g(counts, owner);
        // STARTER KIT_TODO(2, counts, owner);
        // END SOLUTION 2

        while (true) {
            // TODO(3): Let lane 0 draw the owner's next 32 tickets for its warp, so that no other warp can get any of them. All
            // lanes must know the first one. 2 lines.
            int first = count;
            // BEGIN SOLUTION 3
            if (lane == 0) first = nvshmem_int_atomic_fetch_add(tickets, kLanes, owner);
            first = __shfl_sync(all_lanes, first, 0);
            // STARTER KIT_TODO(3, tickets, owner, lane);
            // END SOLUTION 3

            // TODO(4): Leave this loop when no task of the owner is left. Otherwise let each lane do one task: get it from its owner,
            // call work() on it, and put the result back there. Lane 0 adds the number of tasks that its warp has done to
            // done[owner]. Which lanes have a task at the end of the list, and may a lane leave alone? About 7 lines.
            // BEGIN SOLUTION 4
            if (first >= count) break;  // all lanes leave, because all of them have the same `first`
            int ticket = first + lane;
            if (ticket < count) {
                unsigned steps = nvshmem_uint_g(tasks + ticket, owner);
                nvshmem_uint_p(results + ticket, work(steps), owner);
            }
            if (lane == 0) atomicAdd(done + owner, min(kLanes, count - first));
            // STARTER KIT_TODO(4, tasks, results, done, first, lane, owner);
            // STARTER break;
            // END SOLUTION 4
        }
    }
}
// [/steal]

void run_tasks(const Tasks& tasks, int* done, cudaStream_t stream) {
    int* tickets = tasks.tickets;
    const unsigned* steps = tasks.steps;
    const int* counts = tasks.count;
    unsigned* results = tasks.results;
    // TODO(5): Launch take_all with one block of kTakers threads. A PE may wait for what another PE's kernel does, so all PEs must run
    // it at the same time. Which launch guarantees this? 2 lines.
    // BEGIN SOLUTION 5
    void* arguments[] = {&tickets, &steps, &counts, &results, &done};
    nvshmemx_collective_launch(reinterpret_cast<const void*>(take_all), 1, kTakers, arguments, 0, stream);
    // STARTER KIT_TODO(5, tickets, steps, counts, results, done, stream, take_all);
    // END SOLUTION 5
    CUDA_CHECK_LAUNCH();
}

}  // namespace multi_gpu

// 18_multi_gpu/work_steal: warps that draw batches, from their own PE and others.
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

// [steal]
/// Draws the next 32 tickets at a PE for the calling warp, and returns the first of them in all lanes.
__device__ int draw(int* tickets, int owner) {
    int first = 0;
    // TODO(1): Draw for the whole warp, so that no other warp of any PE can get one of these tickets. About 2 lines.
    KIT_TODO(1, tickets, owner);
    first = 0x7fffffff;  // no task has this ticket
    return first;
}

/// Does the tasks of 32 tickets, of which the first is below `count`.
__device__ void do_tasks(const unsigned* tasks, unsigned* results, int* done, int first, int count,
                         int owner) {
    int lane = threadIdx.x % kLanes;
    // TODO(2): Do the tasks that exist, one per lane, with work(). The tasks and the places for their results belong to the owner.
    // About 5 lines.
    KIT_TODO(2, tasks, results, owner);
    if (lane == 0) atomicAdd(done + owner, min(kLanes, count - first));
}

// v8: like the work queue of lecture 15, but with one queue per PE, and every PE can draw from each of them.
// Mapping : one lane per task, as long as there are tasks.
// Cost    : one atomic per 32 tasks, remote only for tasks of other PEs; one extra atomic per warp and PE.
// Requires: tickets start at 0; a result is written to the PE that owns the task.
// Next    : the lanes of a warp wait for its longest task; sort the tasks by length.
__global__ void take_all(int* tickets, const unsigned* tasks, const int* counts, unsigned* results,
                         int* done) {
    int me = nvshmem_my_pe();
    int pes = nvshmem_n_pes();
    // TODO(3): Do all tasks of all PEs with draw() and do_tasks(): first those of this PE, then those of the PEs after it, around
    // the ring. `counts` is symmetric: each PE stores its own number of tasks there. About 6 lines.
    KIT_TODO(3, me, pes, tickets, tasks, counts, results, done, draw, do_tasks);
}
// [/steal]

void run_tasks(const Tasks& tasks, int* done, int blocks, cudaStream_t stream) {
    // Its threads wait for no thread of another PE, so an ordinary launch is enough, of any size.
    take_all<<<blocks, kTakers, 0, stream>>>(tasks.tickets, tasks.steps, tasks.count, tasks.results, done);
    CUDA_CHECK_LAUNCH();
}

}  // namespace multi_gpu

// 15_work_queues/batched_counter: threads that come for more, one task or many at a time.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests batched_counter.cu
//        ../../tests/15_work_queues/batched_counter_test.cu -o batched_counter
// Run:   ./batched_counter
//
//   v1  tasks_v1_static: given, thread i does task i
//   v2  tasks_v2_counter: like v1, but a thread claims its tasks from a counter

#include "15_work_queues/15_work_queues.hpp"
#include "kit.cuh"

namespace work_queues {

// v1: who does which task is settled before anybody begins.
// Mapping : one thread per task.
// Cost    : a warp takes as long as its longest task, and a block as its longest warp.
// Requires: nothing of n.
// Next    : let whoever is done take what is left; see v2.
// [v1]
__global__ void tasks_v1_static(const Task* tasks, int n, const std::uint32_t* table, std::uint32_t* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = work(table, tasks[i]);
}
// [/v1]

// v2: like v1, but a counter says which tasks are next.
// Mapping : a fixed number of threads; each claims `batch` tasks, and comes again.
// Cost    : one atomic per `batch` tasks, all on one address, and one per thread that finds nothing.
// Requires: *next is `first`.
// Next    : 32 lanes ask for one batch each; they could ask once. See v3.
// [v2]
__global__ void tasks_v2_counter(const Task* tasks, unsigned long long first, int n,
                                 const std::uint32_t* table, std::uint32_t* out, unsigned long long* next,
                                 int batch) {
    // TODO(1): Claim `batch` tasks, do those of them that exist, and come again; leave when a claim begins behind the last task. Which
    // type do numbers of tasks need? About 8 lines.
    KIT_TODO(1, tasks, first, n, table, out, next, batch);
}
// [/v2]

/// One thread sets the counter.
__global__ void set_counter(unsigned long long* next, unsigned long long value) {
    *next = value;
}

void one_task_per_thread(const Task* tasks, int n, const std::uint32_t* table, std::uint32_t* out) {
    if (n == 0) return;
    tasks_v1_static<<<kit::ceil_div(n, kBlock), kBlock>>>(tasks, n, table, out);
    CUDA_CHECK_LAUNCH();
}

// [launch]
void batched_counter(const Task* tasks, unsigned long long first, int n, const std::uint32_t* table,
                     std::uint32_t* out, unsigned long long* next, int batch, int blocks) {
    // TODO(2): Nobody knows what the counter holds now. set_counter<<<1, 1>>> is there for it. 2 lines.
    KIT_TODO(2, set_counter);
    if (n == 0) return;
    tasks_v2_counter<<<blocks, kBlock>>>(tasks, first, n, table, out, next, batch);
    CUDA_CHECK_LAUNCH();
}
// [/launch]

}  // namespace work_queues

// 15_work_queues/batched_counter: threads that claim tasks, one or many at a time.
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

// v1: the launch fixes which thread does which task.
// Mapping : one thread per task.
// Cost    : a warp takes as long as its longest task, and a block as its longest warp.
// Requires: nothing; n can be any size.
// Next    : let a thread that has finished take the next task; see v2.
// [v1]
__global__ void tasks_v1_static(const Task* tasks, int n, const std::uint32_t* table, std::uint32_t* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = work(table, tasks[i]);
}
// [/v1]

// v2: like v1, but a counter holds the number of the next task.
// Mapping : a fixed number of threads; each claims `batch` tasks, again and again.
// Cost    : one atomic per `batch` tasks, all on one address, and one per thread that finds no task.
// Requires: *next is `first`.
// Next    : 32 lanes claim one batch each; one claim could serve all of them. See v3.
// [v2]
__global__ void tasks_v2_counter(const Task* tasks, unsigned long long first, int n,
                                 const std::uint32_t* table, std::uint32_t* out, unsigned long long* next,
                                 int batch) {
    // TODO(1): Claim `batch` tasks, do those of them that exist, and claim again. Leave when a claim starts after the last task.
    // Which type do the numbers of tasks need? About 7 lines.
    KIT_TODO(1, tasks, first, n, table, out, next, batch);
}
// [/v2]

/// Sets the counter; launch it with one thread.
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
    // TODO(2): The value of the counter is unknown here. Set it with set_counter<<<1, 1>>>. 2 lines.
    KIT_TODO(2, set_counter);
    if (n == 0) return;
    tasks_v2_counter<<<blocks, kBlock>>>(tasks, first, n, table, out, next, batch);
    CUDA_CHECK_LAUNCH();
}
// [/launch]

}  // namespace work_queues

// 17_device_graphs/scheduler: a graph that takes a task, launches a worker for it, and then itself.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests scheduler.cu
//        ../../tests/17_device_graphs/scheduler_test.cu -o scheduler
// Run:   ./scheduler
//
//   v5  build_scheduler: a worker and the scheduler itself, into the tail

#include "17_device_graphs/17_device_graphs.hpp"
#include "17_device_graphs/nodes.hpp"
#include "kit.cuh"

namespace device_graphs {

/// Blocks of a worker: it learns from *current what to do, when it runs.
constexpr int kWorkers = 4;

__global__ void triple_all(const Task* current, unsigned* data) {
    Task task = *current;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < task.count; i += gridDim.x * blockDim.x)
        data[task.first + i] = 3 * data[task.first + i] + 1;
}

__global__ void square_all(const Task* current, unsigned* data) {
    Task task = *current;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < task.count; i += gridDim.x * blockDim.x)
        data[task.first + i] *= data[task.first + i];
}

// [schedule]
__global__ void schedule(const Task* tasks, const int* count, int* next, Task* current,
                         cudaGraphExec_t triple, cudaGraphExec_t square) {
    // TODO(1): If there is no task left, the scheduler is done. Otherwise store the next one in *current, and let the one
    // behind it be next. About 2 lines.
    KIT_TODO(1, tasks, count, next, current);

    // TODO(2): Launch the worker for its kind, and then the scheduler again, so that it runs when the worker is done. Give
    // what a launch returns to expect_launched(). About 3 lines.
    KIT_TODO(2, triple, square);
}
// [/schedule]

/// Makes an instance that kernels can launch, and destroys the graph.
cudaGraphExec_t uploaded(cudaGraph_t graph, cudaStream_t stream) {
    cudaGraphExec_t exec = nullptr;
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch));
    CUDA_CHECK(cudaGraphUpload(exec, stream));
    CUDA_CHECK(cudaGraphDestroy(graph));
    return exec;
}

// v5: like v4, but the graph comes again. No kernel waits: what is next is in the tail.
// Cost    : two launches by the device per task.
// Requires: the state is in global memory; a graph that has ended keeps nothing else.
// Next    : many tasks at once need other means: a queue that persistent warps share.
// [build]
Scheduler build_scheduler(const Agenda& agenda, cudaStream_t stream) {
    Scheduler made = {};
    cudaGraph_t triple = nullptr, square = nullptr, graph = nullptr;
    CUDA_CHECK(cudaGraphCreate(&triple, 0));
    CUDA_CHECK(cudaGraphCreate(&square, 0));
    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    // TODO(3): The graphs of the two workers, of kWorkers blocks, uploaded; then that of the scheduler, which has one thread
    // and launches them and itself. About 6 lines.
    KIT_TODO(3, agenda, stream, triple, square, graph, triple_all, square_all, schedule, uploaded, kWorkers);
    return made;
}
// [/build]

}  // namespace device_graphs

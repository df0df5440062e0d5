// 17_device_graphs/scheduler: a graph that launches workers and itself.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests scheduler.cu
//        ../../tests/17_device_graphs/scheduler_test.cu -o scheduler
// Run:   ./scheduler
//
//   v5  build_scheduler: a graph that launches a worker and then itself

#include "17_device_graphs/17_device_graphs.hpp"
#include "17_device_graphs/nodes.hpp"
#include "kit.cuh"

namespace device_graphs {

/// Number of blocks of a worker, which reads its task from *current when it runs.
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
    // TODO(1): If no task is left, the scheduler is done. Otherwise store the next task in *current, and advance *next to the
    // following one. About 2 lines.
    // BEGIN SOLUTION 1
    if (*next >= *count) return;
    *current = tasks[(*next)++];
    // STARTER KIT_TODO(1, tasks, count, next, current);
    // END SOLUTION 1

    // TODO(2): Launch the worker for this kind of task, and the scheduler itself, which must not run before the worker has
    // finished. Pass the result of each launch to expect_launched(). About 3 lines.
    // BEGIN SOLUTION 2
    cudaGraphExec_t worker = current->kind == 0 ? triple : square;
    expect_launched(cudaGraphLaunch(worker, cudaStreamGraphTailLaunch));
    expect_launched(cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch));
    // STARTER KIT_TODO(2, triple, square);
    // END SOLUTION 2
}
// [/schedule]

/// Returns an instance of the graph that kernels can launch, and destroys the graph.
cudaGraphExec_t uploaded(cudaGraph_t graph, cudaStream_t stream) {
    cudaGraphExec_t exec = nullptr;
    cudaGraphInstantiateParams params = {};
    params.flags = cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUpload;
    params.uploadStream = stream;
    CUDA_CHECK(cudaGraphInstantiateWithParams(&exec, graph, &params));
    CUDA_CHECK(cudaGraphDestroy(graph));
    return exec;
}

// v5: like v4, but the graph launches itself again. No kernel waits for another graph.
// Cost    : two launches by the device per task.
// Requires: the state is in global memory; nothing else survives the end of a graph.
// Next    : many tasks at the same time need a different mechanism: a queue that persistent warps share.
// [build]
Scheduler build_scheduler(const Agenda& agenda, cudaStream_t stream) {
    Scheduler made = {};
    cudaGraph_t triple = nullptr, square = nullptr, graph = nullptr;
    CUDA_CHECK(cudaGraphCreate(&triple, 0));
    CUDA_CHECK(cudaGraphCreate(&square, 0));
    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    // TODO(3): Build and upload the graphs of the two workers, with kWorkers blocks each. Then build the graph of the scheduler,
    // which has one thread and launches the workers and itself. About 7 lines.
    // BEGIN SOLUTION 3
    add_kernel(triple, {}, triple_all, kWorkers, kBlock, agenda.current, agenda.data);
    add_kernel(square, {}, square_all, kWorkers, kBlock, agenda.current, agenda.data);
    made.triple = uploaded(triple, stream);
    made.square = uploaded(square, stream);
    add_kernel(graph, {}, schedule, 1, 1, agenda.tasks, agenda.count, agenda.next, agenda.current,
               made.triple, made.square);
    made.scheduler = uploaded(graph, stream);
    // STARTER KIT_TODO(3, agenda, stream, triple, square, graph, triple_all, square_all, schedule, uploaded, kWorkers);
    // END SOLUTION 3
    return made;
}
// [/build]

}  // namespace device_graphs

// 17_device_graphs/device_launch: a kernel launches two graphs, of which the second needs the results of the first.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests device_launch.cu
//        ../../tests/17_device_graphs/device_launch_test.cu -o device_launch
// Run:   ./device_launch
//
//   v4  build_clipping: a kernel launches one graph if it is needed, and another one after it

#include "17_device_graphs/17_device_graphs.hpp"
#include "17_device_graphs/nodes.hpp"
#include "kit.cuh"

namespace device_graphs {

__global__ void begin_count(int* over, unsigned long long* total) {
    *over = 0;
    *total = 0;
}

__global__ void count_over(const int* values, int n, int limit, int* over) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && values[i] > limit) atomicAdd(over, 1);
}

__global__ void clip_values(int* values, int n, int limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = min(values[i], limit);
}

__global__ void sum_values(const int* values, int n, unsigned long long* total) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(total, static_cast<unsigned long long>(values[i]));
}

// [launch]
__global__ void launch_rest(cudaGraphExec_t clip, cudaGraphExec_t sum, const int* over) {
    // TODO(1): Launch `clip` only if there are values over the limit, and `sum` always. `sum` reads what `clip` writes, and no kernel can
    // wait for a graph. Pass the result of each launch to expect_launched(). About 2 lines.
    // BEGIN SOLUTION 1
    if (*over > 0) expect_launched(cudaGraphLaunch(clip, cudaStreamGraphFireAndForget));
    expect_launched(cudaGraphLaunch(sum, cudaStreamGraphTailLaunch));
    // STARTER KIT_TODO(1, clip, sum, over);
    // END SOLUTION 1
}
// [/launch]

// [for_device]
/// Returns an instance of the graph that kernels can launch, and destroys the graph.
cudaGraphExec_t for_device(cudaGraph_t graph, cudaStream_t stream) {
    cudaGraphExec_t exec = nullptr;
    // TODO(2): Instantiate the graph for launches by the device, and upload it in the stream. 2 lines.
    // BEGIN SOLUTION 2
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch));
    CUDA_CHECK(cudaGraphUpload(exec, stream));
    // STARTER KIT_TODO(2, stream);
    // END SOLUTION 2
    CUDA_CHECK(cudaGraphDestroy(graph));
    return exec;
}
// [/for_device]

// v4: a kernel gets each graph as an argument and can launch it. Even very many nodes cost nothing if they are not needed.
// Cost    : one launch by the host; the device performs the others.
// Requires: the kernel that launches is in a graph; an instance runs only once at a time.
// Next    : a graph that launches itself; see scheduler.cu.
// [build]
ClippingGraphs build_clipping(const Clipping& work, cudaStream_t stream) {
    ClippingGraphs made = {};
    int blocks = kit::ceil_div(work.n, kBlock);
    cudaGraph_t clip = nullptr, sum = nullptr, graph = nullptr;
    CUDA_CHECK(cudaGraphCreate(&clip, 0));
    CUDA_CHECK(cudaGraphCreate(&sum, 0));
    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    add_kernel(clip, {}, clip_values, blocks, kBlock, work.values, work.n, work.limit);
    add_kernel(sum, {}, sum_values, blocks, kBlock, work.values, work.n, work.total);
    made.clip = for_device(clip, stream);
    made.sum = for_device(sum, stream);

    // TODO(3): Fill `graph`: values are counted after begin_count, and launch_rest reads their number. How many threads may launch? Then
    // create the instance made.main, which only the host launches. About 6 lines.
    // BEGIN SOLUTION 3
    cudaGraphNode_t begun = add_kernel(graph, {}, begin_count, 1, 1, work.over, work.total);
    cudaGraphNode_t counted =
        add_kernel(graph, {begun}, count_over, blocks, kBlock, work.values, work.n, work.limit, work.over);
    add_kernel(graph, {counted}, launch_rest, 1, 1, made.clip, made.sum, work.over);
    CUDA_CHECK(cudaGraphInstantiate(&made.main, graph, 0));
    // STARTER KIT_TODO(3, graph, begin_count, count_over, launch_rest);
    // END SOLUTION 3

    CUDA_CHECK(cudaGraphDestroy(graph));
    return made;
}
// [/build]

}  // namespace device_graphs

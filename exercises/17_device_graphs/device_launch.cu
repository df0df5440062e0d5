// 17_device_graphs/device_launch: threads that launch the graphs that are needed, and one after them.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests device_launch.cu
//        ../../tests/17_device_graphs/device_launch_test.cu -o device_launch
// Run:   ./device_launch
//
//   v4  build_clipping: launches up to four graphs with fire and forget, and one into the tail

#include <algorithm>

#include "17_device_graphs/17_device_graphs.hpp"
#include "17_device_graphs/nodes.hpp"
#include "kit.cuh"

namespace device_graphs {

__global__ void begin_count(int* over, unsigned long long* total) {
    for (int part = 0; part < kParts; ++part) over[part] = 0;
    *total = 0;
}

__global__ void count_over(const int* values, int n, int width, int limit, int* over) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && values[i] > limit) atomicAdd(over + i / width, 1);
}

__global__ void clip_values(int* values, int first, int end, int limit) {
    int i = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < end) values[i] = min(values[i], limit);
}

__global__ void sum_values(const int* values, int n, unsigned long long* total) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(total, static_cast<unsigned long long>(values[i]));
}

// [launch]
__global__ void launch_rest(cudaGraphExec_t part0, cudaGraphExec_t part1, cudaGraphExec_t part2,
                            cudaGraphExec_t part3, cudaGraphExec_t sum, const int* over) {
    cudaGraphExec_t clip[kParts] = {part0, part1, part2, part3};
    // TODO(1): Launch the graph of each part that has values over the limit, so that it can start immediately. Launch `sum` so
    // that it runs after this graph and all of those. Which thread launches what? Pass the result of each launch to
    // expect_launched(). About 3 lines.
    KIT_TODO(1, clip, sum, over);
}
// [/launch]

// [for_device]
/// Returns an instance of the graph that kernels can launch, and destroys the graph.
cudaGraphExec_t for_device(cudaGraph_t graph, cudaStream_t stream) {
    cudaGraphExec_t exec = nullptr;
    // TODO(2): Instantiate the graph for launches by the device, and upload it in the stream. 2 lines.
    KIT_TODO(2, stream);
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
    for (int part = 0; part < kParts; ++part) {
        cudaGraph_t clip = nullptr;
        CUDA_CHECK(cudaGraphCreate(&clip, 0));
        // TODO(3): Fill `clip` with clip_values for the values of this part. A part may be empty. About 3 lines.
        KIT_TODO(3, part, clip_values);
        made.clip[part] = for_device(clip, stream);
    }
    cudaGraph_t sum = nullptr, graph = nullptr;
    CUDA_CHECK(cudaGraphCreate(&sum, 0));
    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    add_kernel(sum, {}, sum_values, blocks, kBlock, work.values, work.n, work.total);
    made.sum = for_device(sum, stream);

    // TODO(4): Fill `graph` with begin_count (one thread), count_over, and launch_rest. Then create its instance made.main, which
    // only the host launches. About 6 lines.
    KIT_TODO(4, graph, blocks, begin_count, count_over, launch_rest);

    CUDA_CHECK(cudaGraphDestroy(graph));
    return made;
}
// [/build]

}  // namespace device_graphs

// 17_device_graphs/if_node: a condition, and a node with two bodies.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests if_node.cu
//        ../../tests/17_device_graphs/if_node_test.cu -o if_node
// Run:   ./if_node
//
//   v1  build_if: an IF node with two bodies

#include <climits>

#include "17_device_graphs/17_device_graphs.hpp"
#include "17_device_graphs/nodes.hpp"
#include "kit.cuh"

namespace device_graphs {

__global__ void begin_search(int* largest) {
    *largest = INT_MIN;
}

/// Executes one atomic per value; lecture 07 shows how to use fewer.
__global__ void find_largest(const int* values, int n, int* largest) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(largest, values[i]);
}

__global__ void halve_all(int* values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] /= 2;
}

__global__ void count_one(int* counter) {
    ++*counter;
}

// [decide]
__global__ void decide(cudaGraphConditionalHandle handle, const int* largest, int limit) {
    // TODO(1): Set the condition: 1 if the largest value is greater than the limit, otherwise 0. The kernel can have more
    // than one thread. About 2 lines.
    KIT_TODO(1, handle, largest, limit);
}
// [/decide]

// v1: both branches are in the graph, and the device runs one of them.
// Cost    : no copy of the largest value to the host, and no wait on the host.
// Requires: one thread sets the condition, before the node runs.
// Next    : a body that is repeated; see while_node.cu.
// [build]
cudaGraph_t build_if(const Levels& levels) {
    cudaGraph_t graph = nullptr;
    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    int blocks = kit::ceil_div(levels.n, kBlock);
    cudaGraphConditionalHandle handle = 0;
    cudaGraphNodeParams either = {};
    cudaGraphNode_t decided = nullptr;

    // TODO(2): Create the handle of the condition; `decide` sets it in every launch, so it needs no default value. Then add
    // three kernels, one after another: begin_search, find_largest and decide, the last as `decided`. About 5 lines.
    KIT_TODO(2, handle, begin_search, find_largest, decide);

    // TODO(3): Add the IF node after `decided`: set the type, and in params.conditional the handle, type and size. Then fill its
    // bodies: halve_all and a count of levels.halved in the first, a count of levels.kept in the second. About 11 lines.
    KIT_TODO(3, either, decided, blocks, halve_all, count_one);

    return graph;
}
// [/build]

}  // namespace device_graphs

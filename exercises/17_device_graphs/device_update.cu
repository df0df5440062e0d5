// 17_device_graphs/device_update: a kernel that sets the size of the next one.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests device_update.cu
//        ../../tests/17_device_graphs/device_update_test.cu -o device_update
// Run:   ./device_update
//
//   v6  build_update: a grid of the right size in each launch

#include "17_device_graphs/17_device_graphs.hpp"
#include "17_device_graphs/nodes.hpp"
#include "kit.cuh"

namespace device_graphs {

__global__ void begin_choice(int* count) {
    *count = 0;
}

/// Executes one atomic per chosen value; lecture 09 shows how to use fewer.
__global__ void choose(const int* values, int n, const int* limit, int* chosen, int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && values[i] > *limit) chosen[atomicAdd(count, 1)] = i;
}

/// Counts how many steps of "half of it if it is even, otherwise 3 x + 1" lead from the value to 1.
__global__ void count_steps(const int* values, const int* chosen, int count, int* steps) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= count) return;
    int i = chosen[k], done = 0;
    for (unsigned x = values[i]; x > 1; ++done) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps[i] = done;
}

// [plan]
__global__ void plan(cudaGraphDeviceNode_t node, size_t offset, const int* count) {
    // TODO(1): Enable the node if values were chosen, and disable it if none were. If some were, set its grid to as many blocks
    // of kBlock threads as they need, and set the parameter at `offset` to their number. Each call returns an error; pass it
    // to expect_changed(). About 4 lines.
    KIT_TODO(1, node, offset, count);
}
// [/plan]

// [updatable]
/// Makes the node updatable by kernels, and returns the handle with which they change it.
cudaGraphDeviceNode_t updatable(cudaGraphNode_t node) {
    cudaLaunchAttributeValue value = {};
    // TODO(2): Set the node's attribute cudaLaunchAttributeDeviceUpdatableKernelNode, with 1 in
    // value.deviceUpdatableKernelNode.deviceUpdatable. Then get the attribute; the handle is next to this field. About 3 lines.
    KIT_TODO(2, node);
    return value.deviceUpdatableKernelNode.devNode;
}
// [/updatable]

// v6: unlike in v1, the same node runs in every launch; only the size of its work changes.
// Cost    : one thread that changes a node; no blocks without work.
// Requires: an edge from the change to the changed node, and an upload before the first launch.
// Next    : several nodes, each changed by its own thread, or all in one call of cudaGraphKernelNodeUpdatesApply.
// [build]
cudaGraphExec_t build_update(const Candidates& work, cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    int blocks = kit::ceil_div(work.n, kBlock);
    size_t offset = 0, bytes = 0;  // offset and size of the parameter `count`
    CUDA_CHECK(cudaFuncGetParamInfo(reinterpret_cast<const void*>(count_steps), 2, &offset, &bytes));
    cudaGraphNode_t begun = add_kernel(graph, {}, begin_choice, 1, 1, work.count);
    cudaGraphNode_t chosen = add_kernel(graph, {begun}, choose, blocks, kBlock, work.values, work.n,
                                        work.limit, work.chosen, work.count);
    cudaGraphNode_t counted =  // sized for the worst case, until `plan` changes it
        add_kernel(graph, {}, count_steps, blocks, kBlock, work.values, work.chosen, work.n, work.steps);

    // TODO(3): Add `plan`, with one thread, between `chosen` and `counted`. It changes `counted`. That node already exists, so
    // add the edge from `plan` to it with cudaGraphAddDependencies. About 2 lines.
    KIT_TODO(3, chosen, counted, plan, updatable);

    // TODO(4): Create the instance. What must the device have before a kernel of this graph changes one of its nodes? 2 lines.
    KIT_TODO(4, stream);

    CUDA_CHECK(cudaGraphDestroy(graph));
    return exec;
}
// [/build]

}  // namespace device_graphs

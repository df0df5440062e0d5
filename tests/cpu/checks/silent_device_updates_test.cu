// Correct programs whose kernels change nodes of graphs: they look like those in planted_device_updates_test.cu.
#include "../device_graph_fixture.cuh"
#include "checks.cuh"

namespace {

struct Target {
    Graph graph;
    Stream stream;
    Buffer<int> blocks{1, 0}, seen{1, 0};
    cudaGraphNode_t node = graph.kernel({}, count_blocks, 3, 32, blocks.data(), 7, seen.data());
    cudaGraphDeviceNode_t handle = updatable(node);
};

__global__ void set_grid(cudaGraphDeviceNode_t node, unsigned blocks) {
    cudaGraphKernelNodeSetGridDim(node, dim3(blocks));
}

__global__ void last_block_changes(cudaGraphDeviceNode_t node, unsigned* ticket) {
    if (threadIdx.x != 0) return;
    __threadfence();
    if (atomicAdd(ticket, 1) == gridDim.x - 1) cudaGraphKernelNodeSetGridDim(node, dim3(gridDim.x));
}

__global__ void first_and_then_last(cudaGraphDeviceNode_t node) {
    if (threadIdx.x == 0) cudaGraphKernelNodeSetGridDim(node, dim3(9));
    __syncthreads();
    if (threadIdx.x == 31) cudaGraphKernelNodeSetGridDim(node, dim3(2));
}

__global__ void one_each(const cudaGraphDeviceNode_t* nodes) {
    cudaGraphKernelNodeSetGridDim(nodes[threadIdx.x], dim3(threadIdx.x + 1));
}

struct Range {
    int first, count;
};
__global__ void sum_up(Range range, int* sum) {
    *sum = range.first + range.count;
}
__global__ void set_count(cudaGraphDeviceNode_t node) {
    cudaGraphKernelNodeSetParam(node, 4, 30);
}

__global__ void several_fields(cudaGraphDeviceNode_t node) {
    if (threadIdx.x == 0) cudaGraphKernelNodeSetGridDim(node, dim3(2));
    if (threadIdx.x == 1) cudaGraphKernelNodeSetParam(node, 8, 3);
    if (threadIdx.x == 2) cudaGraphKernelNodeSetEnabled(node, true);
}

}  // namespace

SILENT("the last block to finish changes the node") {
    Target at;
    Buffer<unsigned> ticket(1, 0);
    add_edge(at.graph, at.graph.kernel({}, last_block_changes, 4, 32, at.handle, ticket.data()), at.node);
    Uploaded(at.graph, at.stream).run(at.stream);
    CHECK_EQUAL(at.blocks.read(), std::vector<int>{4});
}

SILENT("two threads, one behind a barrier") {
    Target at;
    add_edge(at.graph, at.graph.kernel({}, first_and_then_last, 1, 32, at.handle), at.node);
    Uploaded(at.graph, at.stream).run(at.stream);
    CHECK_EQUAL(at.blocks.read(), std::vector<int>{2});
}

SILENT("each thread changes a node of its own") {
    Target at;
    const cudaGraphNode_t second =
        at.graph.kernel({}, count_blocks, 3, 32, at.blocks.data(), 7, at.seen.data());
    add_edge(at.graph, at.node, second);
    const Buffer<cudaGraphDeviceNode_t> nodes(
        std::vector<cudaGraphDeviceNode_t>{at.handle, updatable(second)});
    add_edge(at.graph,
             at.graph.kernel({}, one_each, 1, 2, static_cast<const cudaGraphDeviceNode_t*>(nodes.data())),
             at.node);
    Uploaded(at.graph, at.stream).run(at.stream);
    CHECK_EQUAL(at.blocks.read(), std::vector<int>{3});
}

SILENT("each thread changes something else in one node") {
    Target at;
    add_edge(at.graph, at.graph.kernel({}, several_fields, 1, 3, at.handle), at.node);
    Uploaded(at.graph, at.stream).run(at.stream);
    CHECK_EQUAL(at.seen.read(), std::vector<int>{3});
}

SILENT("a member of a structure, which is a parameter") {
    Stream stream;
    Buffer<int> sum(1, 0);
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeDeviceUpdatableKernelNode;
    attribute.val.deviceUpdatableKernelNode.deviceUpdatable = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = dim3(1);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    const Captured graph(stream, [&] {
        CHECK_CUDA(cudaLaunchKernelEx(&config, sum_up, Range{5, 2}, sum.data()), cudaSuccess);
    });
    const Uploaded instance(graph, stream);
    CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    set_count<<<1, 1, 0, stream>>>(attribute.val.deviceUpdatableKernelNode.devNode);
    instance.run(stream);
    CHECK_EQUAL(sum.read(), std::vector<int>{35});
}

SILENT("two kernels change it, one behind the other") {
    Target at;
    const cudaGraphNode_t first = at.graph.kernel({}, set_grid, 1, 1, at.handle, 9u);
    add_edge(at.graph, at.graph.kernel({first}, set_grid, 1, 1, at.handle, 2u), at.node);
    Uploaded(at.graph, at.stream).run(at.stream, 3);
    CHECK_EQUAL(at.blocks.read(), std::vector<int>{6});
}

SILENT("a change behind the node is for the next launch") {
    Target at;
    at.graph.kernel({at.node}, set_grid, 1, 1, at.handle, 2u);
    Uploaded(at.graph, at.stream).run(at.stream, 3);
    CHECK_EQUAL(at.blocks.read(), std::vector<int>{3 + 2 + 2});
}

SILENT("a change in another stream, and an event between") {
    Target at;
    Stream other;
    cudaEvent_t changed = nullptr;
    CHECK_CUDA(cudaEventCreate(&changed), cudaSuccess);
    const Uploaded instance(at.graph, at.stream);
    CHECK_CUDA(cudaStreamSynchronize(at.stream), cudaSuccess);
    set_grid<<<1, 1, 0, other>>>(at.handle, 2);
    CHECK_CUDA(cudaEventRecord(changed, other), cudaSuccess);
    CHECK_CUDA(cudaStreamWaitEvent(at.stream, changed, 0), cudaSuccess);
    instance.run(at.stream);
    CHECK_CUDA(cudaEventDestroy(changed), cudaSuccess);
    CHECK_EQUAL(at.blocks.read(), std::vector<int>{2});
}

SILENT("the host changes the node and uploads; then kernels change it again") {
    Target at;
    add_edge(at.graph, at.graph.kernel({}, set_grid, 1, 1, at.handle, 2u), at.node);
    const Uploaded instance(at.graph, at.stream);
    instance.run(at.stream);
    CHECK_CUDA(cudaGraphNodeSetEnabled(instance, at.node, 0), cudaSuccess);
    CHECK_CUDA(cudaGraphUpload(instance, at.stream), cudaSuccess);
    instance.run(at.stream);
    CHECK_EQUAL(at.blocks.read(), std::vector<int>{2});
}

CHECKS_MAIN("silent_device_updates")

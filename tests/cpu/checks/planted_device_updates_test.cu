// Kernels that change nodes of graphs. Each case breaks one rule.
#include "../device_graph_fixture.cuh"
#include "checks.cuh"

namespace {

/// A node for the kernel `count_blocks` that kernels can change, and a stream.
struct Target {
    Graph graph;
    Stream stream;
    Buffer<int> blocks{1, 0}, seen{1, 0};
    cudaGraphNode_t node = graph.kernel({}, count_blocks, 3, 32, blocks.data(), 7, seen.data());
    cudaGraphDeviceNode_t handle = updatable(node);
};

}  // namespace

__global__ void all_change(cudaGraphDeviceNode_t node) {
    cudaGraphKernelNodeSetGridDim(node, dim3(2));  // <-
}
PLANTED("every thread sets the grid, to the same", "race", "Let one thread change it") {
    Target at;
    add_edge(at.graph, at.graph.kernel({}, all_change, 1, 32, at.handle), at.node);
    Uploaded(at.graph, at.stream).run(at.stream);
}

__global__ void changes_left(cudaGraphDeviceNode_t node) {
    cudaGraphKernelNodeSetEnabled(node, true);  // <-
}
__global__ void changes_right(cudaGraphDeviceNode_t node) {
    cudaGraphKernelNodeSetEnabled(node, false);  // <-
}
PLANTED("two kernels without an edge switch one node", "race", "nothing orders them") {
    Target at;
    add_edge(at.graph, at.graph.kernel({}, changes_left, 1, 1, at.handle), at.node);
    add_edge(at.graph, at.graph.kernel({}, changes_right, 1, 1, at.handle), at.node);
    Uploaded(at.graph, at.stream).run(at.stream);
}

__global__ void changes_beside(cudaGraphDeviceNode_t node) {
    cudaGraphKernelNodeSetGridDim(node, dim3(2));  // <-
}
PLANTED("no edge from the change to the node", "race", "Add an edge") {
    Target at;
    at.graph.kernel({}, changes_beside, 1, 1, at.handle);
    Uploaded(at.graph, at.stream).run(at.stream);
}

__global__ void changes_in_a_stream(cudaGraphDeviceNode_t node) {
    cudaGraphKernelNodeSetGridDim(node, dim3(2));  // <-
}
PLANTED("a change in another stream than the launch", "race",
        "nothing orders the change and the run of that node") {
    Target at;
    Stream other;
    const Uploaded instance(at.graph, at.stream);
    CHECK_CUDA(cudaStreamSynchronize(at.stream), cudaSuccess);
    changes_in_a_stream<<<1, 1, 0, other>>>(at.handle);
    CHECK_CUDA(cudaGraphLaunch(instance, at.stream), cudaSuccess);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
}

__global__ void without_upload(cudaGraphDeviceNode_t node) {
    cudaGraphKernelNodeSetGridDim(node, dim3(2));  // <-
}
PLANTED("no upload before a launch whose kernel changes its own graph", "graph",
        "Call cudaGraphUpload after") {
    Target at;
    add_edge(at.graph, at.graph.kernel({}, without_upload, 1, 1, at.handle), at.node);
    Instance(at.graph).run(at.stream);
}

__global__ void no_second_upload(cudaGraphDeviceNode_t node) {
    cudaGraphKernelNodeSetGridDim(node, dim3(2));  // <-
}
PLANTED("the host changes the node, and does not upload again", "graph", "after each change by the host") {
    Target at;
    add_edge(at.graph, at.graph.kernel({}, no_second_upload, 1, 1, at.handle), at.node);
    const Uploaded instance(at.graph, at.stream);
    CHECK_CUDA(cudaGraphNodeSetEnabled(instance, at.node, 0), cudaSuccess);
    instance.run(at.stream);
}

__global__ void never_uploaded(cudaGraphDeviceNode_t node) {
    cudaGraphKernelNodeSetGridDim(node, dim3(2));  // <-
}
PLANTED("the device does not have the graph", "graph", "upload or launch the instance first") {
    Target at;
    const Instance instance(at.graph);
    never_uploaded<<<1, 1, 0, at.stream>>>(at.handle);
    CHECK_CUDA(cudaStreamSynchronize(at.stream), cudaSuccess);
}

__global__ void no_handle(cudaGraphDeviceNode_t node) {
    cudaGraphKernelNodeSetEnabled(node, false);  // <-
}
PLANTED("the node's handle of the host", "graph", "this node does not exist") {
    Target at;
    const Uploaded instance(at.graph, at.stream);
    no_handle<<<1, 1, 0, at.stream>>>(reinterpret_cast<cudaGraphDeviceNode_t>(at.node));
    CHECK_CUDA(cudaStreamSynchronize(at.stream), cudaSuccess);
}

__global__ void number_as_offset(cudaGraphDeviceNode_t node) {
    cudaGraphKernelNodeSetParam(node, 1, 5);  // <-
}
PLANTED("the number of the parameter instead of its offset", "graph",
        "the parameters are 8 bytes at 0, 4 bytes at 8, 8 bytes at 16") {
    Target at;
    add_edge(at.graph, at.graph.kernel({}, number_as_offset, 1, 1, at.handle), at.node);
    Uploaded(at.graph, at.stream).run(at.stream);
}

__global__ void too_long(cudaGraphDeviceNode_t node) {
    cudaGraphKernelNodeSetParam(node, 8, 5ll);  // <-
}
PLANTED("a value of another type than the parameter", "graph", "8 bytes at offset 8 in the parameters") {
    Target at;
    add_edge(at.graph, at.graph.kernel({}, too_long, 1, 1, at.handle), at.node);
    Uploaded(at.graph, at.stream).run(at.stream);
}

__global__ void no_blocks(cudaGraphDeviceNode_t node) {
    cudaGraphKernelNodeSetGridDim(node, dim3(0));  // <-
}
PLANTED("a grid of no blocks", "graph", "disable the node") {
    Target at;
    add_edge(at.graph, at.graph.kernel({}, no_blocks, 1, 1, at.handle), at.node);
    Uploaded(at.graph, at.stream).run(at.stream);
}

__global__ void unwritten_value(cudaGraphDeviceNode_t node, const int* value) {
    cudaGraphKernelNodeSetParam(node, 8, *value);  // <-
}
PLANTED("the value was never written", "uninitialised", "") {
    Target at;
    int* value = nullptr;
    CHECK_CUDA(cudaMalloc(&value, sizeof *value), cudaSuccess);
    add_edge(at.graph, at.graph.kernel({}, unwritten_value, 1, 1, at.handle, static_cast<const int*>(value)),
             at.node);
    Uploaded(at.graph, at.stream).run(at.stream);
    CHECK_CUDA(cudaFree(value), cudaSuccess);
}

PLANTED("a second instance", "graph", "one instance at a time") {
    Target at;
    const Instance instance(at.graph);
    cudaGraphExec_t second = nullptr;
    cudaGraphInstantiate(&second, at.graph, 0);  // <-
}

PLANTED("the node is removed", "graph", "cannot be removed") {
    Target at;
    cudaGraphDestroyNode(at.node);  // <-
}

PLANTED("the attribute is taken back", "graph", "stays device-updatable") {
    Target at;
    cudaLaunchAttributeValue value = {};
    cudaGraphKernelNodeSetAttribute(at.node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value);  // <-
}

PLANTED("an update of the whole instance", "graph", "cudaGraphExecUpdate does not accept a graph") {
    Target at;
    const Instance instance(at.graph);
    cudaGraphExecUpdateResultInfo info = {};
    cudaGraphExecUpdate(instance, at.graph, &info);  // <-
}

CHECKS_MAIN("planted_device_updates")

// Conditional nodes of graphs: IF, ELSE, WHILE, SWITCH, nested nodes, and the errors.
#include "device_graph_fixture.cuh"

namespace {

__global__ void set_from(cudaGraphConditionalHandle handle, const int* value) {
    cudaGraphSetConditional(handle, static_cast<unsigned>(*value));
}

__global__ void count_down(cudaGraphConditionalHandle handle, int* left) {
    --*left;
    cudaGraphSetConditional(handle, *left > 0);
}

__global__ void set_if_odd(cudaGraphConditionalHandle handle, const int* value) {
    cudaGraphSetConditional(handle, static_cast<unsigned>(*value) % 2);
}

__global__ void store(int* to, int value) {
    *to = value;
}

/// Runs a graph whose first kernel sets the condition to `value`. Returns a bit mask of the bodies that ran.
int chosen(cudaGraphConditionalNodeType type, unsigned bodies, int value) {
    Buffer<int> in(1, value), out(1, -1);
    Stream stream;
    Graph graph;
    const cudaGraphConditionalHandle handle = condition(graph);
    const cudaGraphNode_t first = graph.kernel({}, set_from, 1, 1, handle, in.data());
    const Conditional node(graph, {first}, handle, type, bodies);
    for (unsigned i = 0; i < bodies; ++i) add_kernel(node.bodies[i], {}, store, 1, 1, out.data(), int(i));
    Instance(graph).run(stream);
    return out.read()[0];
}

}  // namespace

CASE("IF runs its body when the condition is not 0") {
    CHECK_EQUAL(chosen(cudaGraphCondTypeIf, 1, 0), -1);
    CHECK_EQUAL(chosen(cudaGraphCondTypeIf, 1, 1), 0);
    CHECK_EQUAL(chosen(cudaGraphCondTypeIf, 1, 7), 0);
}

CASE("IF with two bodies runs the second one when the condition is 0") {
    CHECK_EQUAL(chosen(cudaGraphCondTypeIf, 2, 1), 0);
    CHECK_EQUAL(chosen(cudaGraphCondTypeIf, 2, 0), 1);
}

CASE("SWITCH runs the body of that number, and none beyond") {
    for (int value = 0; value < 5; ++value)
        CHECK_EQUAL(chosen(cudaGraphCondTypeSwitch, 4, value), value < 4 ? value : -1);
}

CASE("WHILE repeats its body, and what follows it sees all of that") {
    Buffer<int> left(1, 5), list(8, 0), length(1, 0);
    Stream stream;
    Graph graph;
    const cudaGraphConditionalHandle handle = condition(graph, 1);
    const Conditional node(graph, {}, handle, cudaGraphCondTypeWhile, 1);
    const cudaGraphNode_t round =
        add_kernel(node.bodies[0], {}, write_down, 1, 1, list.data(), length.data(), 1);
    add_kernel(node.bodies[0], {round}, count_down, 1, 1, handle, left.data());
    graph.kernel({node.node}, write_down, 1, 1, list.data(), length.data(), 2);
    Instance(graph).run(stream);
    CHECK_EQUAL(list.read(), std::vector<int>{1, 1, 1, 1, 1, 2, 0, 0});
}

CASE("a default value is assigned at every launch") {
    Buffer<int> left(1, 3), length(1, 0), list(16, 0);
    Stream stream;
    Graph graph;
    const cudaGraphConditionalHandle handle = condition(graph, 1);
    const Conditional node(graph, {}, handle, cudaGraphCondTypeWhile, 1);
    const cudaGraphNode_t round =
        add_kernel(node.bodies[0], {}, write_down, 1, 1, list.data(), length.data(), 1);
    add_kernel(node.bodies[0], {round}, count_down, 1, 1, handle, left.data());
    const Instance instance(graph);
    instance.run(stream);
    CHECK_EQUAL(length.read(), std::vector<int>{3});
    instance.run(stream);  // the body runs once, although the last value was 0, and *left is 0 afterwards
    CHECK_EQUAL(length.read(), std::vector<int>{4});
}

CASE("a condition that nobody sets has its default value, also 0") {
    Buffer<int> out(1, 0);
    Stream stream;
    for (const unsigned value : {0u, 1u}) {
        Graph graph;
        const Conditional node(graph, {}, condition(graph, value), cudaGraphCondTypeIf, 1);
        add_kernel(node.bodies[0], {}, add_one, 1, 1, out.data());
        Instance(graph).run(stream);
        CHECK_EQUAL(out.read(), std::vector<int>{static_cast<int>(value)});
    }
}

CASE("an IF in a WHILE: the outer body sets the condition of the inner node") {
    Buffer<int> left(1, 6), out(1, 0);
    Stream stream;
    Graph graph;
    const cudaGraphConditionalHandle loop = condition(graph, 1);
    const Conditional outer(graph, {}, loop, cudaGraphCondTypeWhile, 1);
    const cudaGraphConditionalHandle odd = condition(graph);
    const cudaGraphNode_t ask = add_kernel(outer.bodies[0], {}, set_if_odd, 1, 1, odd, left.data());
    const Conditional inner(outer.bodies[0], {ask}, odd, cudaGraphCondTypeIf, 1);
    add_kernel(inner.bodies[0], {}, add_one, 1, 1, out.data());
    add_kernel(outer.bodies[0], {inner.node}, count_down, 1, 1, loop, left.data());
    Instance(graph).run(stream);
    CHECK_EQUAL(out.read(), std::vector<int>{3});
}

CASE("a body by capture, with a fork, a copy and a fill") {
    Buffer<int> a(10, 1), b(10, 0), c(10, 7), left(1, 2);
    Stream stream, other;
    Event forked, joined;
    Graph graph;
    const cudaGraphConditionalHandle handle = condition(graph, 1);
    const Conditional node(graph, {}, handle, cudaGraphCondTypeWhile, 1);
    CHECK_CUDA(cudaStreamBeginCaptureToGraph(stream, node.bodies[0], nullptr, nullptr, 0,
                                             cudaStreamCaptureModeRelaxed),
               cudaSuccess);
    scale<<<1, 10, 0, stream>>>(a, 3, 10);
    cudaEventRecord(forked, stream);
    cudaStreamWaitEvent(other, forked, 0);
    cudaMemsetAsync(c, 0, 10 * sizeof(int), other);
    cudaEventRecord(joined, other);
    cudaMemcpyAsync(b, a, 10 * sizeof(int), cudaMemcpyDeviceToDevice, stream);
    cudaStreamWaitEvent(stream, joined, 0);
    count_down<<<1, 1, 0, stream>>>(handle, left);
    cudaGraph_t same = nullptr;
    CHECK_CUDA(cudaStreamEndCapture(stream, &same), cudaSuccess);
    CHECK(same == node.bodies[0]);
    Instance(graph).run(stream);
    CHECK_EQUAL(b.read(), std::vector<int>(10, 9));
    CHECK_EQUAL(c.read(), std::vector<int>(10, 0));
}

CASE("launches one behind the other, and what the stream holds before and behind") {
    Buffer<int> left(1, 4), out(1, 0);
    Stream stream;
    Graph graph;
    const cudaGraphConditionalHandle handle = condition(graph, 1);
    const Conditional node(graph, {}, handle, cudaGraphCondTypeWhile, 1);
    const cudaGraphNode_t step = add_kernel(node.bodies[0], {}, add_one, 1, 1, out.data());
    add_kernel(node.bodies[0], {step}, count_down, 1, 1, handle, left.data());
    const Instance instance(graph);
    for (int i = 0; i < 3; ++i) {
        store<<<1, 1, 0, stream>>>(left, 4);
        CHECK_CUDA(cudaGraphLaunch(instance, stream), cudaSuccess);
        scale<<<1, 1, 0, stream>>>(out, 2, 1);
    }
    CHECK_EQUAL(out.read(), std::vector<int>{((4 * 2) + 4) * 2 * 2 + 4 * 2});
}

CASE_MISUSE("a graph with a conditional node has one instance, no copy, and is no child") {
    Graph graph, whole;
    const Conditional node(graph, {}, condition(graph, 1), cudaGraphCondTypeIf, 1);
    Buffer<int> out(1, 0);
    add_kernel(node.bodies[0], {}, add_one, 1, 1, out.data());
    const Instance first(graph);
    cudaGraphExec_t second = nullptr;
    cudaGraph_t copy = nullptr;
    cudaGraphNode_t child = nullptr;
    CHECK(cudaGraphInstantiate(&second, graph, 0) != cudaSuccess);
    CHECK(cudaGraphClone(&copy, graph) != cudaSuccess);
    CHECK(cudaGraphAddChildGraphNode(&child, whole, nullptr, 0, graph) != cudaSuccess);
    cudaGetLastError();
}

CASE_MISUSE("sizes that the types do not have") {
    Graph graph;
    const auto add = [&](cudaGraphConditionalNodeType type, unsigned size) {
        cudaGraphNodeParams params = {};
        cudaGraphNode_t node = nullptr;
        params.type = cudaGraphNodeTypeConditional;
        params.conditional.handle = condition(graph);
        params.conditional.type = type;
        params.conditional.size = size;
        const cudaError_t error = cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params);
        cudaGetLastError();
        return error;
    };
    CHECK(add(cudaGraphCondTypeIf, 3) != cudaSuccess);
    CHECK(add(cudaGraphCondTypeWhile, 2) != cudaSuccess);
    CHECK(add(cudaGraphCondTypeSwitch, 0) != cudaSuccess);
}

CASE_MISUSE("no conditional node in a graph for the device") {
    Graph graph;
    const Conditional node(graph, {}, condition(graph, 1), cudaGraphCondTypeIf, 1);
    Buffer<int> out(1, 0);
    add_kernel(node.bodies[0], {}, add_one, 1, 1, out.data());
    cudaGraphExec_t exec = nullptr;
    CHECK_CUDA(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch),
               cudaErrorInvalidValue);
    cudaGetLastError();
}

CASE_MISUSE("no host function in a body") {
    Graph graph;
    const Conditional node(graph, {}, condition(graph, 1), cudaGraphCondTypeIf, 1);
    int data[10] = {};
    cudaHostNodeParams params = {double_on_host, data};
    cudaGraphNode_t host = nullptr;
    cudaGraphExec_t exec = nullptr;
    const cudaError_t added = cudaGraphAddHostNode(&host, node.bodies[0], nullptr, 0, &params);
    const cudaError_t made = cudaGraphInstantiate(&exec, graph, 0);
    CHECK(added != cudaSuccess || made != cudaSuccess);
    cudaGetLastError();
}

CASE("the nodes of a body are listed, and of their types") {
    Graph graph;
    const Conditional node(graph, {}, condition(graph, 1), cudaGraphCondTypeIf, 1);
    Buffer<int> out(1, 0);
    add_kernel(node.bodies[0], {}, add_one, 1, 1, out.data());
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    std::size_t count = 0;
    CHECK_CUDA(cudaGraphNodeGetType(node.node, &type), cudaSuccess);
    CHECK(type == cudaGraphNodeTypeConditional);
    CHECK_CUDA(cudaGraphGetNodes(node.bodies[0], nullptr, &count), cudaSuccess);
    CHECK_EQUAL(count, std::size_t{1});
}

CONFORMANCE_MAIN("conditional")

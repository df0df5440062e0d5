// Explicit graphs: nodes, edges, order, launches, queries.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <numeric>

#include "graph_fixture.cuh"

CASE("a kernel node runs with the arguments that it was given") {
    Buffer<int> data(100, 1);
    Graph graph;
    int* pointer = data;
    int factor = 7, n = 100;
    graph.kernel({}, scale, 1, 128, pointer, factor, n);
    factor = 9;  // has no effect, because the argument was copied when the node was created
    Instance instance(graph);
    CHECK_CUDA(cudaGraphLaunch(instance, nullptr), cudaSuccess);
    CHECK_EQUAL(data.read(), std::vector<int>(100, 7));
}

CASE("nothing runs before the launch, and each launch runs it again") {
    Buffer<int> data(4, 0);
    Graph graph;
    graph.kernel({}, add_one, 1, 4, data.data());
    Instance instance(graph);
    CHECK_EQUAL(data.read(), std::vector<int>(4, 0));
    for (int i = 0; i < 5; ++i) CHECK_CUDA(cudaGraphLaunch(instance, nullptr), cudaSuccess);
    CHECK_EQUAL(data.read(), std::vector<int>(4, 5));
}

CASE("edges order nodes, whatever the order of creation") {
    Buffer<int> list(4), length(1, 0);
    Graph graph;
    cudaGraphNode_t last = graph.kernel({}, append, 1, 1, list.data(), length.data(), 3);
    cudaGraphNode_t first = graph.kernel({}, append, 1, 1, list.data(), length.data(), 1);
    cudaGraphNode_t middle = graph.kernel({first}, append, 1, 1, list.data(), length.data(), 2);
    CHECK_CUDA(cudaGraphAddDependencies(graph, &middle, &last, nullptr, 1), cudaSuccess);
    Instance instance(graph);
    CHECK_CUDA(cudaGraphLaunch(instance, nullptr), cudaSuccess);
    std::vector<int> got = list.read();
    got.resize(3);
    CHECK_EQUAL(got, std::vector<int>{1, 2, 3});
}

CASE("a diamond: two branches between fork and join") {
    Buffer<int> in(64, 3), left(64), right(64), out(64);
    Graph graph;
    cudaGraphNode_t root = graph.kernel({}, scale, 1, 64, in.data(), 2, 64);
    cudaGraphNode_t a = graph.kernel({root}, plus, 1, 64, in.data(), left.data(), 1);
    cudaGraphNode_t b = graph.kernel({root}, plus, 1, 64, in.data(), right.data(), 10);
    graph.kernel({a, b}, sum_of, 1, 64, left.data(), right.data(), out.data());
    Instance instance(graph);
    CHECK_CUDA(cudaGraphLaunch(instance, nullptr), cudaSuccess);
    CHECK_EQUAL(out.read(), std::vector<int>(64, 7 + 16));
}

CASE("a launched graph takes its place in the stream") {
    Stream stream(cudaStreamNonBlocking);
    Buffer<int> data(32, 1);
    Graph graph;
    graph.kernel({}, scale, 1, 32, data.data(), 5, 32);
    Instance instance(graph);
    slow_plus<<<1, 32, 0, stream>>>(data, data, 1);
    CHECK_CUDA(cudaGraphLaunch(instance, stream), cudaSuccess);
    slow_plus<<<1, 32, 0, stream>>>(data, data, 2);
    CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    CHECK_EQUAL(data.read(), std::vector<int>(32, 12));
}

CASE("launches of one instance do not overlap, in whatever streams") {
    Stream a(cudaStreamNonBlocking), b(cudaStreamNonBlocking);
    Buffer<int> data(32, 0);
    Graph graph;
    graph.kernel({}, slow_plus, 1, 32, data.data(), data.data(), 1);
    Instance instance(graph);
    for (int i = 0; i < 4; ++i) {
        CHECK_CUDA(cudaGraphLaunch(instance, a), cudaSuccess);
        CHECK_CUDA(cudaGraphLaunch(instance, b), cudaSuccess);
    }
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQUAL(data.read(), std::vector<int>(32, 8));
}

CASE("copies, fills and host functions are nodes too") {
    const int n = 100;
    Pinned<int> in(n), out(n);
    std::iota(in.data, in.data + n, 0);
    Buffer<int> data(n), more(n);
    Graph graph;
    cudaGraphNode_t copy_in, fill, copy_out, host;
    CHECK_CUDA(cudaGraphAddMemcpyNode1D(&copy_in, graph, nullptr, 0, data, in.data, n * sizeof(int),
                                        cudaMemcpyHostToDevice),
               cudaSuccess);
    cudaMemsetParams params = {};
    params.dst = more.data();
    params.value = 1000;
    params.elementSize = 4;
    params.width = n;
    params.height = 1;
    CHECK_CUDA(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &params), cudaSuccess);
    cudaGraphNode_t sum =
        graph.kernel({copy_in, fill}, sum_of, 1, 128, data.data(), more.data(), data.data());
    (void)sum;
    CHECK_CUDA(cudaGraphAddMemcpyNode1D(&copy_out, graph, &sum, 1, out.data, data, n * sizeof(int),
                                        cudaMemcpyDeviceToHost),
               cudaSuccess);
    cudaHostNodeParams call = {double_on_host, out.data};
    CHECK_CUDA(cudaGraphAddHostNode(&host, graph, &copy_out, 1, &call), cudaSuccess);
    Instance instance(graph);
    CHECK_CUDA(cudaGraphLaunch(instance, nullptr), cudaSuccess);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += out.data[i] != (i + 1000) * (i < 10 ? 2 : 1);
    CHECK_EQUAL(wrong, 0);
}

CASE("a memset node repeats elements of 1, 2 and 4 bytes") {
    Buffer<unsigned char> data(16, 0);
    for (unsigned size : {1u, 2u, 4u}) {
        Graph graph;
        cudaGraphNode_t node;
        cudaMemsetParams params = {};
        params.dst = data.data();
        params.value = 0x04030201;
        if (size == 1) params.value = 0x11;
        if (size == 2) params.value = 0x2221;
        params.elementSize = size;
        params.width = 8 / size;
        params.height = 1;
        CHECK_CUDA(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &params), cudaSuccess);
        Instance instance(graph);
        CHECK_CUDA(cudaGraphLaunch(instance, nullptr), cudaSuccess);
        const std::vector<unsigned char> got = data.read();
        CHECK_EQUAL(int(got[0]), size == 1 ? 0x11 : size == 2 ? 0x21 : 1);
        CHECK_EQUAL(int(got[7]), size == 1 ? 0x11 : size == 2 ? 0x22 : 4);
        CHECK_EQUAL(int(got[8]), 0);
    }
}

CASE("a child graph runs as one node; later changes of the original do not matter") {
    Buffer<int> data(32, 1);
    Graph child, parent;
    cudaGraphNode_t first = child.kernel({}, scale, 1, 32, data.data(), 2, 32);
    child.kernel({first}, scale, 1, 32, data.data(), 3, 32);
    cudaGraphNode_t before = parent.kernel({}, add_one, 1, 32, data.data());
    cudaGraphNode_t embedded;
    CHECK_CUDA(cudaGraphAddChildGraphNode(&embedded, parent, &before, 1, child), cudaSuccess);
    parent.kernel({embedded}, add_one, 1, 32, data.data());
    child.kernel({first}, scale, 1, 32, data.data(), 100, 32);
    Instance instance(parent);
    CHECK_CUDA(cudaGraphLaunch(instance, nullptr), cudaSuccess);
    CHECK_EQUAL(data.read(), std::vector<int>(32, 13));
    cudaGraph_t inside = nullptr;
    std::size_t count = 0;
    CHECK_CUDA(cudaGraphChildGraphNodeGetGraph(embedded, &inside), cudaSuccess);
    CHECK_CUDA(cudaGraphGetNodes(inside, nullptr, &count), cudaSuccess);
    CHECK_EQUAL(count, std::size_t{2});
}

CASE("an empty node joins; a graph without nodes can be launched") {
    Buffer<int> a(1, 1), b(1, 1), out(1);
    Graph graph, nothing;
    cudaGraphNode_t x = graph.kernel({}, add_one, 1, 1, a.data());
    cudaGraphNode_t y = graph.kernel({}, add_one, 1, 1, b.data());
    cudaGraphNode_t join, both[] = {x, y};
    CHECK_CUDA(cudaGraphAddEmptyNode(&join, graph, both, 2), cudaSuccess);
    graph.kernel({join}, sum_of, 1, 1, a.data(), b.data(), out.data());
    Instance instance(graph), empty(nothing);
    CHECK_CUDA(cudaGraphLaunch(empty, nullptr), cudaSuccess);
    CHECK_CUDA(cudaGraphLaunch(instance, nullptr), cudaSuccess);
    CHECK_EQUAL(out.read()[0], 4);
}

CASE("event nodes order a graph with a stream") {
    Stream stream(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
    Event event;
    Buffer<int> a(32, 1), b(32);
    Graph graph;
    cudaGraphNode_t work = graph.kernel({}, slow_plus, 1, 32, a.data(), a.data(), 4);
    cudaGraphNode_t record;
    CHECK_CUDA(cudaGraphAddEventRecordNode(&record, graph, &work, 1, event), cudaSuccess);
    Instance instance(graph);
    CHECK_CUDA(cudaGraphLaunch(instance, stream), cudaSuccess);
    CHECK_CUDA(cudaStreamWaitEvent(other, event, 0), cudaSuccess);
    plus<<<1, 32, 0, other>>>(a, b, 1);
    CHECK_CUDA(cudaStreamSynchronize(other), cudaSuccess);
    CHECK_EQUAL(b.read(), std::vector<int>(32, 6));

    Graph second;
    cudaGraphNode_t wait;
    CHECK_CUDA(cudaGraphAddEventWaitNode(&wait, second, nullptr, 0, event), cudaSuccess);
    second.kernel({wait}, plus, 1, 32, a.data(), b.data(), 2);
    Instance waiting(second);
    slow_plus<<<1, 32, 0, stream>>>(a, a, 10);
    CHECK_CUDA(cudaEventRecord(event, stream), cudaSuccess);
    CHECK_CUDA(cudaGraphLaunch(waiting, other), cudaSuccess);
    CHECK_CUDA(cudaStreamSynchronize(other), cudaSuccess);
    CHECK_EQUAL(b.read(), std::vector<int>(32, 17));
}

CASE("nodes, roots, edges and types can be asked for") {
    Buffer<int> data(1, 0);
    Graph graph;
    cudaGraphNode_t a = graph.kernel({}, add_one, 1, 1, data.data());
    cudaGraphNode_t b = graph.kernel({a}, add_one, 1, 1, data.data());
    cudaGraphNode_t c;
    CHECK_CUDA(cudaGraphAddEmptyNode(&c, graph, &b, 1), cudaSuccess);
    std::size_t count = 0;
    CHECK_CUDA(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
    CHECK_EQUAL(count, std::size_t{3});
    CHECK_CUDA(cudaGraphGetRootNodes(graph, nullptr, &count), cudaSuccess);
    CHECK_EQUAL(count, std::size_t{1});
    cudaGraphNode_t root = nullptr;
    CHECK_CUDA(cudaGraphGetRootNodes(graph, &root, &count), cudaSuccess);
    CHECK(root == a);
    CHECK_CUDA(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count), cudaSuccess);
    CHECK_EQUAL(count, std::size_t{2});
    cudaGraphNode_t from[2], to[2];
    cudaGraphEdgeData data_of_edges[2];
    CHECK_CUDA(cudaGraphGetEdges(graph, from, to, data_of_edges, &count), cudaSuccess);
    const int first = from[0] == a ? 0 : 1;
    CHECK(from[first] == a && to[first] == b && from[1 - first] == b && to[1 - first] == c);
    CHECK_EQUAL(int(data_of_edges[0].type), 0);
    cudaGraphNodeType type;
    CHECK_CUDA(cudaGraphNodeGetType(a, &type), cudaSuccess);
    CHECK_EQUAL(type, cudaGraphNodeTypeKernel);
    CHECK_CUDA(cudaGraphNodeGetType(c, &type), cudaSuccess);
    CHECK_EQUAL(type, cudaGraphNodeTypeEmpty);
    cudaGraphNode_t neighbour = nullptr;
    count = 1;
    CHECK_CUDA(cudaGraphNodeGetDependencies(b, &neighbour, nullptr, &count), cudaSuccess);
    CHECK(neighbour == a);
    count = 1;
    CHECK_CUDA(cudaGraphNodeGetDependentNodes(b, &neighbour, nullptr, &count), cudaSuccess);
    CHECK(neighbour == c);
}

CASE("edges and nodes can be removed") {
    Buffer<int> data(1, 0);
    Graph graph;
    cudaGraphNode_t a = graph.kernel({}, add_one, 1, 1, data.data());
    cudaGraphNode_t b, c;
    CHECK_CUDA(cudaGraphAddEmptyNode(&b, graph, &a, 1), cudaSuccess);
    CHECK_CUDA(cudaGraphAddEmptyNode(&c, graph, &b, 1), cudaSuccess);
    CHECK_CUDA(cudaGraphRemoveDependencies(graph, &a, &b, nullptr, 1), cudaSuccess);
    std::size_t count = 0;
    CHECK_CUDA(cudaGraphGetRootNodes(graph, nullptr, &count), cudaSuccess);
    CHECK_EQUAL(count, std::size_t{2});
    CHECK_CUDA(cudaGraphDestroyNode(b), cudaSuccess);
    CHECK_CUDA(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count), cudaSuccess);
    CHECK_EQUAL(count, std::size_t{0});
    CHECK_CUDA(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
    CHECK_EQUAL(count, std::size_t{2});
}

CASE("a clone is independent, and its nodes can be found") {
    Buffer<int> data(8, 1);
    Graph graph;
    cudaGraphNode_t node = graph.kernel({}, scale, 1, 8, data.data(), 2, 8), twin = nullptr;
    cudaGraph_t clone;
    CHECK_CUDA(cudaGraphClone(&clone, graph), cudaSuccess);
    CHECK_CUDA(cudaGraphNodeFindInClone(&twin, node, clone), cudaSuccess);
    CHECK(twin && twin != node);
    graph.kernel({node}, scale, 1, 8, data.data(), 100, 8);
    cudaGraphExec_t exec;
    CHECK_CUDA(cudaGraphInstantiate(&exec, clone, 0), cudaSuccess);
    CHECK_CUDA(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    CHECK_EQUAL(data.read(), std::vector<int>(8, 2));
    CHECK_CUDA(cudaGraphExecDestroy(exec), cudaSuccess);
    CHECK_CUDA(cudaGraphDestroy(clone), cudaSuccess);
}

CASE("the graph may be destroyed when it is instantiated, the instance when it is launched") {
    Buffer<int> data(8, 1);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK_CUDA(cudaGraphCreate(&graph, 0), cudaSuccess);
    int* pointer = data;
    int factor = 6, n = 8;
    void* arguments[] = {&pointer, &factor, &n};
    cudaKernelNodeParams params = {};
    params.func = reinterpret_cast<void*>(scale);
    params.gridDim = dim3(1);
    params.blockDim = dim3(8);
    params.kernelParams = arguments;
    cudaGraphNode_t node;
    CHECK_CUDA(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params), cudaSuccess);
    CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    CHECK_CUDA(cudaGraphDestroy(graph), cudaSuccess);
    CHECK_CUDA(cudaGraphUpload(exec, nullptr), cudaSuccess);
    CHECK_CUDA(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    CHECK_CUDA(cudaGraphExecDestroy(exec), cudaSuccess);
    CHECK_EQUAL(data.read(), std::vector<int>(8, 6));
}

CASE("cudaGraphAddNode takes every kind of node") {
    Buffer<int> data(16, 1);
    Graph graph;
    cudaGraphNode_t fill, kernel;
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeMemset;
    params.memset.dst = data.data();
    params.memset.value = 4;
    params.memset.elementSize = 4;
    params.memset.width = 16;
    params.memset.height = 1;
    CHECK_CUDA(cudaGraphAddNode(&fill, graph, nullptr, nullptr, 0, &params), cudaSuccess);
    int* pointer = data;
    void* arguments[] = {&pointer};
    cudaGraphNodeParams launch = {};
    launch.type = cudaGraphNodeTypeKernel;
    launch.kernel.func = reinterpret_cast<void*>(add_one);
    launch.kernel.gridDim = dim3(1);
    launch.kernel.blockDim = dim3(16);
    launch.kernel.kernelParams = arguments;
    CHECK_CUDA(cudaGraphAddNode(&kernel, graph, &fill, nullptr, 1, &launch), cudaSuccess);
    Instance instance(graph);
    CHECK_CUDA(cudaGraphLaunch(instance, nullptr), cudaSuccess);
    CHECK_EQUAL(data.read(), std::vector<int>(16, 5));
}

CASE("cudaGraphDebugDotPrint writes a file for Graphviz") {
    Buffer<int> data(1, 0);
    Graph graph;
    cudaGraphNode_t a = graph.kernel({}, add_one, 1, 1, data.data());
    graph.kernel({a}, add_one, 1, 1, data.data());
    char name[] = "/tmp/kit_dot_XXXXXX";
    const int descriptor = mkstemp(name);
    CHECK_CUDA(cudaGraphDebugDotPrint(graph, name, cudaGraphDebugDotFlagsVerbose), cudaSuccess);
    std::ifstream file(name);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    CHECK(text.find("digraph") != std::string::npos);
    CHECK(text.find("->") != std::string::npos);
    CHECK(text.find("add_one") != std::string::npos);
    close(descriptor);
    std::remove(name);
}

CASE_MISUSE("what no graph can be made of") {
    Buffer<int> data(4, 0);
    Graph graph, other;
    cudaGraphNode_t a = graph.kernel({}, add_one, 1, 1, data.data()), b, stranger;
    CHECK_CUDA(cudaGraphAddEmptyNode(&b, graph, &a, 1), cudaSuccess);
    CHECK_CUDA(cudaGraphAddEmptyNode(&stranger, other, nullptr, 0), cudaSuccess);
    CHECK_CUDA(cudaGraphCreate(nullptr, 0), cudaErrorInvalidValue);
    // The edge exists already.
    CHECK_CUDA(cudaGraphAddDependencies(graph, &a, &b, nullptr, 1), cudaErrorInvalidValue);
    CHECK_CUDA(cudaGraphAddDependencies(graph, &a, &stranger, nullptr, 1), cudaErrorInvalidValue);
    cudaKernelNodeParams params = {};
    CHECK(cudaGraphAddKernelNode(&b, graph, nullptr, 0, &params) != cudaSuccess);
    cudaGetLastError();
}

CASE_MISUSE("a graph with a cycle cannot be instantiated") {
    Graph graph;
    cudaGraphNode_t a, b;
    CHECK_CUDA(cudaGraphAddEmptyNode(&a, graph, nullptr, 0), cudaSuccess);
    CHECK_CUDA(cudaGraphAddEmptyNode(&b, graph, &a, 1), cudaSuccess);
    const cudaError_t error = cudaGraphAddDependencies(graph, &b, &a, nullptr, 1);
    cudaGraphExec_t exec = nullptr;
    if (error == cudaSuccess) CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0), cudaErrorInvalidValue);
    CHECK(exec == nullptr);
    cudaGetLastError();
}

CONFORMANCE_MAIN("graph")

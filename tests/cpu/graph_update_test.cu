// Changes to instances: of the whole graph, of single nodes, and disabled nodes.
#include <algorithm>

#include "graph_fixture.cuh"

namespace {

/// The parameters of a kernel node for `scale`, with storage for the arguments.
struct ScaleParams {
    ScaleParams(int* data, int factor, int n) : data(data), factor(factor), n(n) {
        params.func = reinterpret_cast<void*>(scale);
        params.gridDim = dim3(static_cast<unsigned>((n + 31) / 32));
        params.blockDim = dim3(32);
        params.kernelParams = arguments;
    }
    int* data;
    int factor, n;
    void* arguments[3] = {&data, &factor, &n};
    cudaKernelNodeParams params = {};
};

cudaGraphNode_t only_node(cudaGraph_t graph) {
    cudaGraphNode_t node = nullptr;
    std::size_t count = 1;
    CHECK_CUDA(cudaGraphGetNodes(graph, &node, &count), cudaSuccess);
    return node;
}

}  // namespace

CASE("a captured graph of the same shape updates an instance") {
    Stream stream;
    Buffer<int> data(200, 1);
    cudaGraphExec_t exec = nullptr;
    for (int n : {50, 200, 10}) {
        {
            const Captured graph(stream, [&] {
                scale<<<(n + 31) / 32, 32, 0, stream>>>(data, 2, n);
                scale<<<(n + 31) / 32, 32, 0, stream>>>(data, 5, n);
            });
            if (!exec) {
                CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
            } else {
                cudaGraphExecUpdateResultInfo info;
                CHECK_CUDA(cudaGraphExecUpdate(exec, graph, &info), cudaSuccess);
                CHECK_EQUAL(info.result, cudaGraphExecUpdateSuccess);
            }
        }  // the instance does not need the graph after this
        CHECK_CUDA(cudaGraphLaunch(exec, stream), cudaSuccess);
    }
    CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    const std::vector<int> got = data.read();
    CHECK_EQUAL(got[5], 1000);
    CHECK_EQUAL(got[49], 100);
    CHECK_EQUAL(got[199], 10);
    CHECK_CUDA(cudaGraphExecDestroy(exec), cudaSuccess);
}

CASE_MISUSE("a graph of another shape does not update an instance, and changes nothing") {
    Buffer<int> data(32, 1);
    Graph two, three, parallel;
    cudaGraphNode_t a = two.kernel({}, scale, 1, 32, data.data(), 2, 32);
    two.kernel({a}, scale, 1, 32, data.data(), 3, 32);
    cudaGraphNode_t b = three.kernel({}, scale, 1, 32, data.data(), 100, 32);
    cudaGraphNode_t c = three.kernel({b}, scale, 1, 32, data.data(), 100, 32);
    three.kernel({c}, scale, 1, 32, data.data(), 100, 32);
    parallel.kernel({}, scale, 1, 32, data.data(), 100, 32);
    parallel.kernel({}, scale, 1, 32, data.data(), 100, 32);
    Instance instance(two);
    cudaGraphExecUpdateResultInfo info;
    CHECK_CUDA(cudaGraphExecUpdate(instance, three, &info), cudaErrorGraphExecUpdateFailure);
    CHECK_EQUAL(info.result, cudaGraphExecUpdateErrorTopologyChanged);
    CHECK(info.errorNode == nullptr);
    CHECK_CUDA(cudaGraphExecUpdate(instance, parallel, &info), cudaErrorGraphExecUpdateFailure);
    CHECK_EQUAL(info.result, cudaGraphExecUpdateErrorTopologyChanged);
    cudaGraphNode_t node = a;
    // The result has two parts, as in CUDA versions before 12.
    cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
    CHECK_CUDA(cudaGraphExecUpdate(instance, parallel, &node, &result), cudaErrorGraphExecUpdateFailure);
    CHECK_EQUAL(result, cudaGraphExecUpdateErrorTopologyChanged);
    CHECK(node == info.errorNode);
    CHECK_CUDA(cudaGraphExecUpdate(instance, parallel, nullptr, &result), cudaErrorGraphExecUpdateFailure);
    cudaGetLastError();
    CHECK_CUDA(cudaGraphLaunch(instance, nullptr), cudaSuccess);
    CHECK_EQUAL(data.read(), std::vector<int>(32, 6));
}

CASE_MISUSE("a node of another type does not update an instance") {
    Buffer<int> data(32, 1);
    Graph kernel, fill;
    kernel.kernel({}, scale, 1, 32, data.data(), 2, 32);
    cudaGraphNode_t node;
    cudaMemsetParams params = {};
    params.dst = data.data();
    params.elementSize = 1;
    params.width = 32;
    params.height = 1;
    CHECK_CUDA(cudaGraphAddMemsetNode(&node, fill, nullptr, 0, &params), cudaSuccess);
    Instance instance(kernel);
    cudaGraphExecUpdateResultInfo info;
    CHECK_CUDA(cudaGraphExecUpdate(instance, fill, &info), cudaErrorGraphExecUpdateFailure);
    CHECK_EQUAL(info.result, cudaGraphExecUpdateErrorNodeTypeChanged);
    CHECK(info.errorNode == node);
    cudaGetLastError();
}

CASE("one kernel node of an instance gets other arguments and another grid") {
    Buffer<int> a(64, 1), b(64, 1);
    Graph graph;
    cudaGraphNode_t node = graph.kernel({}, scale, 1, 32, a.data(), 2, 32);
    Instance instance(graph);
    CHECK_CUDA(cudaGraphLaunch(instance, nullptr), cudaSuccess);
    ScaleParams other(b, 7, 64);
    CHECK_CUDA(cudaGraphExecKernelNodeSetParams(instance, node, &other.params), cudaSuccess);
    other.factor = 1000;
    CHECK_CUDA(cudaGraphLaunch(instance, nullptr), cudaSuccess);
    CHECK_EQUAL(a.read()[0], 2);
    CHECK_EQUAL(b.read(), std::vector<int>(64, 7));
    Instance fresh(graph);  // the graph itself has not been changed
    CHECK_CUDA(cudaGraphLaunch(fresh, nullptr), cudaSuccess);
    CHECK_EQUAL(a.read()[0], 4);
}

CASE("the parameters of a captured kernel can be read, changed and set") {
    Stream stream;
    Buffer<int> data(64, 1);
    const Captured graph(stream, [&] { scale<<<1, 32, 0, stream>>>(data, 2, 64); });
    cudaGraphNode_t node = only_node(graph);
    Instance instance(graph);
    cudaKernelNodeParams params = {};
    CHECK_CUDA(cudaGraphKernelNodeGetParams(node, &params), cudaSuccess);
    CHECK_EQUAL(params.blockDim.x, 32u);
    CHECK_EQUAL(*static_cast<int*>(params.kernelParams[1]), 2);
    params.gridDim = dim3(2);
    CHECK_CUDA(cudaGraphExecKernelNodeSetParams(instance, node, &params), cudaSuccess);
    instance.run(stream);
    CHECK_EQUAL(data.read(), std::vector<int>(64, 2));
}

CASE("a launch that is queued keeps the arguments that it was launched with") {
    Stream stream;
    Buffer<int> data(32, 1);
    Graph graph;
    cudaGraphNode_t node = graph.kernel({}, scale, 1, 32, data.data(), 2, 32);
    Instance instance(graph);
    slow_plus<<<1, 32, 0, stream>>>(data, data, 0);
    CHECK_CUDA(cudaGraphLaunch(instance, stream), cudaSuccess);
    ScaleParams other(data, 10, 32);
    CHECK_CUDA(cudaGraphExecKernelNodeSetParams(instance, node, &other.params), cudaSuccess);
    CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    CHECK_EQUAL(data.read(), std::vector<int>(32, 2));
    instance.run(stream);
    CHECK_EQUAL(data.read(), std::vector<int>(32, 20));
}

CASE("copy, fill and host nodes of an instance can be changed") {
    Pinned<int> in(32), other(32), out(32), other_out(32);
    std::fill(in.data, in.data + 32, 3);
    std::fill(other.data, other.data + 32, 4);
    Buffer<int> data(32, 0), filled(32, 0);
    Graph graph;
    cudaGraphNode_t copy, back, host, fill;
    CHECK_CUDA(cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, data, in.data, 128, cudaMemcpyHostToDevice),
               cudaSuccess);
    CHECK_CUDA(cudaGraphAddMemcpyNode1D(&back, graph, &copy, 1, out.data, data, 128, cudaMemcpyDeviceToHost),
               cudaSuccess);
    cudaHostNodeParams call = {double_on_host, out.data};
    CHECK_CUDA(cudaGraphAddHostNode(&host, graph, &back, 1, &call), cudaSuccess);
    cudaMemsetParams set = {};
    set.dst = filled.data();
    set.value = 1;
    set.elementSize = 4;
    set.width = 32;
    set.height = 1;
    CHECK_CUDA(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &set), cudaSuccess);
    Instance instance(graph);
    CHECK_CUDA(
        cudaGraphExecMemcpyNodeSetParams1D(instance, copy, data, other.data, 128, cudaMemcpyHostToDevice),
        cudaSuccess);
    CHECK_CUDA(
        cudaGraphExecMemcpyNodeSetParams1D(instance, back, other_out.data, data, 128, cudaMemcpyDeviceToHost),
        cudaSuccess);
    call.userData = other_out.data;
    CHECK_CUDA(cudaGraphExecHostNodeSetParams(instance, host, &call), cudaSuccess);
    set.value = 9;
    CHECK_CUDA(cudaGraphExecMemsetNodeSetParams(instance, fill, &set), cudaSuccess);
    out.data[0] = -1;
    CHECK_CUDA(cudaGraphLaunch(instance, nullptr), cudaSuccess);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQUAL(out.data[0], -1);
    CHECK_EQUAL(other_out.data[0], 8);
    CHECK_EQUAL(other_out.data[31], 4);
    CHECK_EQUAL(filled.read(), std::vector<int>(32, 9));
}

CASE("a node that is switched off does nothing, and its neighbours keep their order") {
    Buffer<int> data(32, 1);
    Graph graph;
    cudaGraphNode_t a = graph.kernel({}, scale, 1, 32, data.data(), 2, 32);
    cudaGraphNode_t b = graph.kernel({a}, scale, 1, 32, data.data(), 3, 32);
    graph.kernel({b}, scale, 1, 32, data.data(), 5, 32);
    Instance instance(graph);
    CHECK_CUDA(cudaGraphNodeSetEnabled(instance, b, 0), cudaSuccess);
    unsigned enabled = 1;
    CHECK_CUDA(cudaGraphNodeGetEnabled(instance, b, &enabled), cudaSuccess);
    CHECK_EQUAL(enabled, 0u);
    CHECK_CUDA(cudaGraphLaunch(instance, nullptr), cudaSuccess);
    CHECK_EQUAL(data.read(), std::vector<int>(32, 10));
    CHECK_CUDA(cudaGraphNodeSetEnabled(instance, b, 1), cudaSuccess);
    CHECK_CUDA(cudaGraphLaunch(instance, nullptr), cudaSuccess);
    CHECK_EQUAL(data.read(), std::vector<int>(32, 300));
}

CASE("nodes of a child graph can be changed through their handles") {
    Buffer<int> data(32, 1);
    Graph child, parent;
    child.kernel({}, scale, 1, 32, data.data(), 2, 32);
    cudaGraphNode_t embedded;
    CHECK_CUDA(cudaGraphAddChildGraphNode(&embedded, parent, nullptr, 0, child), cudaSuccess);
    cudaGraph_t inside;
    CHECK_CUDA(cudaGraphChildGraphNodeGetGraph(embedded, &inside), cudaSuccess);
    Instance instance(parent);
    ScaleParams other(data, 11, 32);
    CHECK_CUDA(cudaGraphExecKernelNodeSetParams(instance, only_node(inside), &other.params), cudaSuccess);
    CHECK_CUDA(cudaGraphLaunch(instance, nullptr), cudaSuccess);
    CHECK_EQUAL(data.read(), std::vector<int>(32, 11));
}

CASE_MISUSE("a node of another graph is refused") {
    Buffer<int> data(32, 1);
    Graph graph, other;
    graph.kernel({}, scale, 1, 32, data.data(), 2, 32);
    cudaGraphNode_t stranger = other.kernel({}, scale, 1, 32, data.data(), 2, 32);
    Instance instance(graph);
    ScaleParams params(data, 3, 32);
    CHECK_CUDA(cudaGraphExecKernelNodeSetParams(instance, stranger, &params.params), cudaErrorInvalidValue);
    cudaGetLastError();
}

CONFORMANCE_MAIN("graph_update")

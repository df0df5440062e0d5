// Graphs that kernels launch: fire-and-forget, tail and sibling launches, graphs that launch themselves, and
// refused launches.
#include "device_graph_fixture.cuh"

namespace {

__global__ void fire(cudaGraphExec_t exec, int* error) {
    *error = cudaGraphLaunch(exec, cudaStreamGraphFireAndForget);
}

__global__ void into_tail(cudaGraphExec_t exec, int* error) {
    *error = cudaGraphLaunch(exec, cudaStreamGraphTailLaunch);
}

__global__ void beside(cudaGraphExec_t exec, int* error) {
    *error = cudaGraphLaunch(exec, cudaStreamGraphFireAndForgetAsSibling);
}

__global__ void again_until(int* count, int most, int* error) {
    if (++*count < most) *error = cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}

__global__ void fire_two_tails(cudaGraphExec_t a, cudaGraphExec_t b, int* error) {
    *error = cudaGraphLaunch(a, cudaStreamGraphTailLaunch);
    *error += cudaGraphLaunch(b, cudaStreamGraphTailLaunch);
}

__global__ void fire_twice(cudaGraphExec_t exec, int* errors, volatile int* go) {
    errors[0] = cudaGraphLaunch(exec, cudaStreamGraphFireAndForget);
    errors[1] = cudaGraphLaunch(exec, cudaStreamGraphFireAndForget);
    __threadfence();
    *go = 1;
}

__global__ void wait_for(int* go) {
    while (atomicAdd(go, 0) == 0) {
    }
}

__global__ void fire_all(const cudaGraphExec_t* execs, int n, cudaStream_t stream, int* done) {
    for (int i = 0; i < n; ++i)
        if (cudaGraphLaunch(execs[i], stream) == cudaSuccess) ++*done;
}

__global__ void is_null(int* answer) {
    *answer = cudaGetCurrentGraphExec() == nullptr;
}

__global__ void to_itself_twice(int* count, int* errors) {
    if (++*count > 1) return;
    errors[0] = cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
    errors[1] = cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}

/// A list to which kernels append their numbers, and a device graph whose kernel does that.
struct Listed {
    Buffer<int> list{16, 0}, length{1, 0}, error{1, 0};
    Stream stream;
    std::vector<cudaGraph_t> graphs;

    cudaGraph_t graph(int value) {
        cudaGraph_t made = nullptr;
        cudaGraphCreate(&made, 0);
        graphs.push_back(made);
        add_kernel(made, {}, write_down, 1, 1, list.data(), length.data(), value);
        return made;
    }
    ~Listed() {
        for (const cudaGraph_t one : graphs) cudaGraphDestroy(one);
    }
};

}  // namespace

CASE("fire and forget: the launching graph is complete when the launched one is") {
    Listed at;
    const ForDevice launched(at.graph(1), at.stream);
    Graph graph;
    graph.kernel({}, fire, 1, 1, launched.handle, at.error.data());
    CHECK_CUDA(cudaGraphLaunch(Instance(graph), at.stream), cudaSuccess);
    write_down<<<1, 1, 0, at.stream>>>(at.list, at.length, 2);
    CHECK_EQUAL(at.error.read(), std::vector<int>{0});
    CHECK_EQUAL(at.list.read()[0], 1);
    CHECK_EQUAL(at.list.read()[1], 2);
}

CASE("a tail launch runs when the launching graph is done, all of it") {
    Listed at;
    const ForDevice last(at.graph(3), at.stream);
    Graph graph;
    const cudaGraphNode_t first = graph.kernel({}, into_tail, 1, 1, last.handle, at.error.data());
    graph.kernel({first}, write_down, 1, 1, at.list.data(), at.length.data(), 1);
    Instance(graph).run(at.stream);
    CHECK_EQUAL(at.error.read(), std::vector<int>{0});
    CHECK_EQUAL(at.list.read()[0], 1);
    CHECK_EQUAL(at.list.read()[1], 3);
}

CASE("a tail launch waits for what was fired, too; tails run in order") {
    Listed at;
    const ForDevice fired(at.graph(1), at.stream), second(at.graph(2), at.stream),
        third(at.graph(3), at.stream);
    Graph graph;
    Buffer<int> other(1, 0);
    const cudaGraphNode_t tails =
        graph.kernel({}, fire_two_tails, 1, 1, second.handle, third.handle, at.error.data());
    graph.kernel({tails}, fire, 1, 1, fired.handle, other.data());
    Instance(graph).run(at.stream);
    const std::vector<int> list = at.list.read();
    CHECK_EQUAL(std::vector<int>(list.begin(), list.begin() + 4), std::vector<int>{1, 2, 3, 0});
}

CASE("a graph that launches itself into its tail, 100 times") {
    Listed at;
    Buffer<int> count(1, 0);
    Graph graph;
    graph.kernel({}, again_until, 1, 1, count.data(), 100, at.error.data());
    const ForDevice loop(graph, at.stream);
    loop.run(at.stream);
    CHECK_EQUAL(count.read(), std::vector<int>{100});
    CHECK_EQUAL(at.error.read(), std::vector<int>{0});
}

CASE("a sibling is complete when the host has waited") {
    Listed at;
    const ForDevice launched(at.graph(1), at.stream);
    Graph graph;
    graph.kernel({}, beside, 1, 1, launched.handle, at.error.data());
    Instance(graph).run(at.stream);
    CHECK_EQUAL(at.error.read(), std::vector<int>{0});
    CHECK_EQUAL(at.list.read()[0], 1);
}

CASE("a launch by the host uploads as well, and an instance for the device runs as any other") {
    Listed at;
    const Instance launched(at.graph(1), cudaGraphInstantiateFlagDeviceLaunch);
    launched.run(at.stream);
    Graph graph;
    graph.kernel({}, fire, 1, 1, launched.handle, at.error.data());
    Instance(graph).run(at.stream);
    CHECK_EQUAL(at.error.read(), std::vector<int>{0});
    CHECK_EQUAL(at.length.read(), std::vector<int>{2});
}

CASE("copies, fills and child graphs in a graph for the device") {
    Stream stream;
    Buffer<int> a(10, 1), b(10, 0), c(10, 5), error(1, 0);
    const Captured child(stream, [&] { scale<<<1, 10, 0, stream>>>(a, 4, 10); });
    Graph inner, graph;
    cudaGraphNode_t first, second, third;
    CHECK_CUDA(cudaGraphAddChildGraphNode(&first, inner, nullptr, 0, child), cudaSuccess);
    CHECK_CUDA(
        cudaGraphAddMemcpyNode1D(&second, inner, &first, 1, b, a, 10 * sizeof(int), cudaMemcpyDeviceToDevice),
        cudaSuccess);
    cudaMemsetParams fill = {};
    fill.dst = c.data();
    fill.elementSize = 4;
    fill.width = 10;
    fill.height = 1;
    CHECK_CUDA(cudaGraphAddMemsetNode(&third, inner, nullptr, 0, &fill), cudaSuccess);
    const ForDevice launched(inner, stream);
    graph.kernel({}, fire, 1, 1, launched.handle, error.data());
    Instance(graph).run(stream);
    CHECK_EQUAL(error.read(), std::vector<int>{0});
    CHECK_EQUAL(b.read(), std::vector<int>(10, 4));
    CHECK_EQUAL(c.read(), std::vector<int>(10, 0));
}

CASE_MISUSE("a kernel outside of all graphs cannot launch one") {
    Listed at;
    const ForDevice launched(at.graph(1), at.stream);
    fire<<<1, 1, 0, at.stream>>>(launched.handle, at.error.data());
    const cudaError_t refused = cudaGetLastError();  // the call fails in a kernel that cannot launch graphs
    CHECK(refused != cudaSuccess || at.error.read()[0] != cudaSuccess);
    CHECK_EQUAL(at.length.read(), std::vector<int>{0});
}

CASE("outside of graphs no graph is the current one") {
    Buffer<int> answer(1, 0);
    is_null<<<1, 1>>>(answer);
    CHECK_EQUAL(answer.read(), std::vector<int>{1});
}

#ifdef KIT_CPU  // on a GPU, the effect of such a handle is not documented
CASE_MISUSE("an instance that is not for the device") {
    Listed at;
    const Instance launched(at.graph(1));
    Graph graph;
    graph.kernel({}, fire, 1, 1, launched.handle, at.error.data());
    Instance(graph).run(at.stream);
    CHECK(at.error.read()[0] != cudaSuccess);
    CHECK_EQUAL(at.length.read(), std::vector<int>{0});
}
#endif

CASE_MISUSE("an active instance is not launched again") {
    Listed at;
    Buffer<int> go(1, 0), errors(2, -1);
    Graph inner, graph;
    inner.kernel({}, wait_for, 1, 1, go.data());
    const ForDevice launched(inner, at.stream);
    graph.kernel({}, fire_twice, 1, 1, launched.handle, errors.data(), go.data());
    Instance(graph).run(at.stream);
    CHECK_EQUAL(errors.read(), std::vector<int>{cudaSuccess, cudaErrorInvalidValue});
}

CASE_MISUSE("one launch of itself may be pending") {
    Listed at;
    Buffer<int> count(1, 0), errors(2, -1);
    Graph graph;
    graph.kernel({}, to_itself_twice, 1, 1, count.data(), errors.data());
    const ForDevice loop(graph, at.stream);
    loop.run(at.stream);
    CHECK_EQUAL(errors.read()[0], static_cast<int>(cudaSuccess));
    CHECK(errors.read()[1] != cudaSuccess);
    CHECK_EQUAL(count.read(), std::vector<int>{2});
}

/// Returns how many of `n` launches of graphs succeed in a kernel.
int accepted(int n, cudaStream_t into) {
    Buffer<int> out(1, 0), done(1, 0);
    Stream stream;
    Graph inner, graph;
    inner.kernel({}, scale, 1, 1, out.data(), 1, 0);
    std::vector<cudaGraphExec_t> execs(static_cast<std::size_t>(n));
    for (cudaGraphExec_t& exec : execs) {
        CHECK_CUDA(cudaGraphInstantiate(&exec, inner, cudaGraphInstantiateFlagDeviceLaunch), cudaSuccess);
        CHECK_CUDA(cudaGraphUpload(exec, stream), cudaSuccess);
    }
    CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    const Buffer<cudaGraphExec_t> list(execs);
    graph.kernel({}, fire_all, 1, 1, list.data(), n, into, done.data());
    Instance(graph).run(stream);
    const int count = done.read()[0];
    for (const cudaGraphExec_t exec : execs) cudaGraphExecDestroy(exec);
    return count;
}

CASE_MISUSE("120 graphs can be fired, and 255 tails be pending") {
    CHECK_EQUAL(accepted(120, cudaStreamGraphFireAndForget), 120);
    CHECK_EQUAL(accepted(121, cudaStreamGraphFireAndForget), 120);
    CHECK_EQUAL(accepted(255, cudaStreamGraphTailLaunch), 255);
    CHECK_EQUAL(accepted(256, cudaStreamGraphTailLaunch), 255);
}

CASE_MISUSE("no host function in a graph for the device, and not nothing") {
    Graph graph, empty;
    int data[10] = {};
    cudaHostNodeParams params = {double_on_host, data};
    cudaGraphNode_t host = nullptr;
    cudaGraphExec_t exec = nullptr;
    CHECK_CUDA(cudaGraphAddHostNode(&host, graph, nullptr, 0, &params), cudaSuccess);
    CHECK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch) != cudaSuccess);
    CHECK(cudaGraphInstantiate(&exec, empty, cudaGraphInstantiateFlagDeviceLaunch) != cudaSuccess);
    cudaGetLastError();
}

CONFORMANCE_MAIN("device_graph")

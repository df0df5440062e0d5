// Graphs that kernels launch, and conditional nodes. Each case breaks one rule.
#include "../device_graph_fixture.cuh"
#include "checks.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace {

__global__ void bump(int* data) {
    data[threadIdx.x] += 1;
}

__global__ void decide(cudaGraphConditionalHandle handle, unsigned value) {
    cudaGraphSetConditional(handle, value);
}

/// Returns the parameters of a conditional node with one body.
cudaGraphNodeParams one_body(cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type) {
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = 1;
    return params;
}

/// Adds an IF node after the nodes in `before`. The body of the IF node runs `bump`.
Conditional bump_if(cudaGraph_t graph, std::initializer_list<cudaGraphNode_t> before,
                    cudaGraphConditionalHandle handle, int* data) {
    Conditional node(graph, before, handle, cudaGraphCondTypeIf, 1);
    add_kernel(node.bodies[0], {}, bump, 1, 32, data);
    return node;
}

}  // namespace

__global__ void all_decide(cudaGraphConditionalHandle handle, const int* data) {
    cudaGraphSetConditional(handle, data[0] >= 0);  // <-
}
PLANTED("every thread sets the condition, to the same value", "race", "Let one thread") {
    Buffer<int> data(32, 0);
    Stream stream;
    Graph graph;
    const cudaGraphConditionalHandle handle = condition(graph);
    bump_if(graph, {graph.kernel({}, all_decide, 1, 32, handle, data.data())}, handle, data);
    Instance(graph).run(stream);
}

__global__ void one_of_each_block(cudaGraphConditionalHandle handle) {
    if (threadIdx.x == 0) cudaGraphSetConditional(handle, 1);  // <-
}
PLANTED("the first thread of each block sets it", "race", "block (1,0,0)") {
    Buffer<int> data(32, 0);
    Stream stream;
    Graph graph;
    const cudaGraphConditionalHandle handle = condition(graph);
    bump_if(graph, {graph.kernel({}, one_of_each_block, 2, 32, handle)}, handle, data);
    Instance(graph).run(stream);
}

__global__ void decides_left(cudaGraphConditionalHandle handle) {
    cudaGraphSetConditional(handle, 1);  // <-
}
__global__ void decides_right(cudaGraphConditionalHandle handle) {
    cudaGraphSetConditional(handle, 0);  // <-
}
PLANTED("two kernels without an edge set it", "race", "nothing orders them") {
    Buffer<int> data(32, 0);
    Stream stream;
    Graph graph;
    const cudaGraphConditionalHandle handle = condition(graph);
    const cudaGraphNode_t left = graph.kernel({}, decides_left, 1, 1, handle);
    const cudaGraphNode_t right = graph.kernel({}, decides_right, 1, 1, handle);
    bump_if(graph, {left, right}, handle, data);
    Instance(graph).run(stream);
}

PLANTED("no default value, and nobody sets the condition", "uninitialised", "has no value") {
    Buffer<int> data(32, 0);
    Stream stream;
    Graph graph;
    cudaGraphNode_t node = nullptr;
    cudaGraphNodeParams params = one_body(condition(graph), cudaGraphCondTypeIf);
    cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params);  // <-
    add_kernel(params.conditional.phGraph_out[0], {}, bump, 1, 32, data.data());
    Instance(graph).run(stream);
}

PLANTED("set in the first launch only, and no default value", "uninitialised",
        "no earlier kernel of this launch has set it") {
    Buffer<int> data(32, 0);
    Stream stream;
    Graph graph;
    const cudaGraphConditionalHandle handle = condition(graph);
    const cudaGraphNode_t first = graph.kernel({}, decide, 1, 1, handle, 1u);
    cudaGraphNode_t node = nullptr;
    cudaGraphNodeParams params = one_body(handle, cudaGraphCondTypeIf);
    cudaGraphAddNode(&node, graph, &first, nullptr, 1, &params);  // <-
    add_kernel(params.conditional.phGraph_out[0], {}, bump, 1, 32, data.data());
    const Instance instance(graph);
    instance.run(stream);
    cudaGraphNodeSetEnabled(instance, first, 0);
    instance.run(stream);
}

__global__ void sets_another(cudaGraphConditionalHandle handle) {
    cudaGraphSetConditional(handle, 1);  // <-
}
PLANTED("a kernel outside of the graph sets it", "graph", "Let a kernel of the same graph") {
    Buffer<int> data(32, 0);
    Graph graph;
    const cudaGraphConditionalHandle handle = condition(graph, 0);
    bump_if(graph, {}, handle, data);
    sets_another<<<1, 1>>>(handle);
    cudaDeviceSynchronize();
}

__global__ void round_without_end(int* data) {
    data[threadIdx.x] += 1;
}
#ifdef KIT_CPU
PLANTED("a WHILE whose body never sets the condition", "timeout", "set the condition to 0") {
    Buffer<int> data(32, 0);
    Stream stream;
    Graph graph;
    cudaGraphNode_t node = nullptr;
    cudaGraphNodeParams params = one_body(condition(graph, 1), cudaGraphCondTypeWhile);
    cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params);  // <-
    add_kernel(params.conditional.phGraph_out[0], {}, round_without_end, 1, 32, data.data());
    kit::cpu::set_kernel_time_limit(0.1);
    const Instance instance(graph);
    cudaGraphLaunch(instance, stream);
    cudaStreamSynchronize(stream);
    kit::cpu::set_kernel_time_limit(10);
}
#endif

__global__ void in_the_body(int* data) {
    data[threadIdx.x] += 1;  // <-
}
__global__ void beside_the_body(int* data) {
    data[threadIdx.x] *= 2;  // <-
}
PLANTED("a body and a kernel without an edge", "race", "add an edge") {
    Buffer<int> data(32, 0);
    Stream stream;
    Graph graph;
    const Conditional node(graph, {}, condition(graph, 1), cudaGraphCondTypeIf, 1);
    add_kernel(node.bodies[0], {}, in_the_body, 1, 32, data.data());
    graph.kernel({}, beside_the_body, 1, 32, data.data());
    Instance(graph).run(stream);
}

__global__ void body_left(int* data) {
    data[threadIdx.x] += 1;  // <-
}
__global__ void body_right(int* data) {
    data[threadIdx.x] *= 2;  // <-
}
PLANTED("two kernels of a body without an edge", "race", "add an edge") {
    Buffer<int> data(32, 0);
    Stream stream;
    Graph graph;
    const Conditional node(graph, {}, condition(graph, 1), cudaGraphCondTypeIf, 1);
    add_kernel(node.bodies[0], {}, body_left, 1, 32, data.data());
    add_kernel(node.bodies[0], {}, body_right, 1, 32, data.data());
    Instance(graph).run(stream);
}

__global__ void launches_outside(cudaGraphExec_t exec) {
    cudaGraphLaunch(exec, cudaStreamGraphFireAndForget);  // <-
}
PLANTED("a launch by a kernel outside of graphs", "graph", "is not in a graph") {
    Buffer<int> data(32, 0);
    Stream stream;
    Graph inner;
    inner.kernel({}, bump, 1, 32, data.data());
    const ForDevice launched(inner, stream);
    launches_outside<<<1, 1, 0, stream>>>(launched.handle);
    cudaStreamSynchronize(stream);
}

__global__ void launches_early(cudaGraphExec_t exec) {
    cudaGraphLaunch(exec, cudaStreamGraphFireAndForget);  // <-
}
PLANTED("a launch without an upload", "graph", "Call cudaGraphUpload after") {
    Buffer<int> data(32, 0);
    Stream stream;
    Graph inner, graph;
    inner.kernel({}, bump, 1, 32, data.data());
    const Instance launched(inner, cudaGraphInstantiateFlagDeviceLaunch);
    graph.kernel({}, launches_early, 1, 1, launched.handle);
    Instance(graph).run(stream);
}

__global__ void launches_changed(cudaGraphExec_t exec) {
    cudaGraphLaunch(exec, cudaStreamGraphFireAndForget);  // <-
}
PLANTED("a change by the host that was not uploaded", "graph", "after each change") {
    Buffer<int> data(32, 0), other(32, 0);
    Stream stream;
    Graph inner, graph;
    const cudaGraphNode_t node = inner.kernel({}, bump, 1, 32, data.data());
    const ForDevice launched(inner, stream);
    int* pointer = other;
    void* arguments[] = {&pointer};
    cudaKernelNodeParams params = {};
    params.func = reinterpret_cast<void*>(bump);
    params.gridDim = dim3(1);
    params.blockDim = dim3(32);
    params.kernelParams = arguments;
    cudaGraphExecKernelNodeSetParams(launched, node, &params);
    graph.kernel({}, launches_changed, 1, 1, launched.handle);
    Instance(graph).run(stream);
}

__global__ void launches_unready(cudaGraphExec_t exec) {
    cudaGraphLaunch(exec, cudaStreamGraphFireAndForget);  // <-
}
PLANTED("an instance that is not for the device", "graph", "cudaGraphInstantiateFlagDeviceLaunch") {
    Buffer<int> data(32, 0);
    Stream stream;
    Graph inner, graph;
    inner.kernel({}, bump, 1, 32, data.data());
    const Instance launched(inner);
    graph.kernel({}, launches_unready, 1, 1, launched.handle);
    Instance(graph).run(stream);
}

__global__ void launches_into_stream(cudaGraphExec_t exec) {
    cudaGraphLaunch(exec, cudaStream_t{});  // <-
}
PLANTED("a launch into an ordinary stream", "graph", "the stream is not a stream for such launches") {
    Buffer<int> data(32, 0);
    Stream stream;
    Graph inner, graph;
    inner.kernel({}, bump, 1, 32, data.data());
    const ForDevice launched(inner, stream);
    graph.kernel({}, launches_into_stream, 1, 1, launched.handle);
    Instance(graph).run(stream);
}

__global__ void launches_twice(cudaGraphExec_t exec) {
    cudaGraphLaunch(exec, cudaStreamGraphFireAndForget);  // <-
}
PLANTED("an active instance is launched again", "graph", "an earlier launch of this instance has not ended") {
    Buffer<int> data(32, 0);
    Stream stream;
    Graph inner, graph;
    inner.kernel({}, bump, 1, 32, data.data());
    const ForDevice launched(inner, stream);
    graph.kernel({}, launches_twice, 1, 2, launched.handle);
    Instance(graph).run(stream);
}

__global__ void fires_itself() {
    cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphFireAndForget);  // <-
}
PLANTED("a graph that fires itself", "graph",
        "only a graph that launches itself into cudaStreamGraphTailLaunch") {
    Stream stream;
    Graph graph;
    graph.kernel({}, fires_itself, 1, 1);
    const ForDevice loop(graph, stream);
    loop.run(stream);
}

__global__ void fires_and_looks(cudaGraphExec_t exec) {
    cudaGraphLaunch(exec, cudaStreamGraphFireAndForget);
}
__global__ void fired(int* data) {
    data[threadIdx.x] = 5;  // <-
}
__global__ void looks_too_early(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x];  // <-
}
PLANTED("a later node reads what a fired graph writes", "race", "`fired`") {
    Buffer<int> data(32, 0), out(32, 0);
    Stream stream;
    Graph inner, graph;
    inner.kernel({}, fired, 1, 32, data.data());
    const ForDevice launched(inner, stream);
    const cudaGraphNode_t first = graph.kernel({}, fires_and_looks, 1, 1, launched.handle);
    graph.kernel({first}, looks_too_early, 1, 32, data.data(), out.data());
    Instance(graph).run(stream);
}

__global__ void fires_both(cudaGraphExec_t a, cudaGraphExec_t b) {
    cudaGraphLaunch(a, cudaStreamGraphFireAndForget);
    cudaGraphLaunch(b, cudaStreamGraphFireAndForget);
}
__global__ void fired_first(int* data) {
    data[threadIdx.x] = 5;  // <-
}
__global__ void fired_second(int* data) {
    data[threadIdx.x] *= 2;  // <-
}
PLANTED("two fired graphs that need each other", "race", "`fired_second`") {
    Buffer<int> data(32, 0);
    Stream stream;
    Graph inner, other, graph;
    inner.kernel({}, fired_first, 1, 32, data.data());
    other.kernel({}, fired_second, 1, 32, data.data());
    const ForDevice one(inner, stream), two(other, stream);
    graph.kernel({}, fires_both, 1, 1, one.handle, two.handle);
    Instance(graph).run(stream);
}

__global__ void launches_in_body(cudaGraphExec_t exec) {
    cudaGraphLaunch(exec, cudaStreamGraphFireAndForget);  // <-
}
PLANTED("a launch in the body of a conditional node", "graph", "cannot launch anything") {
    Buffer<int> data(32, 0);
    Stream stream;
    Graph inner, graph;
    inner.kernel({}, bump, 1, 32, data.data());
    const ForDevice launched(inner, stream);
    const Conditional node(graph, {}, condition(graph, 1), cudaGraphCondTypeIf, 1);
    add_kernel(node.bodies[0], {}, launches_in_body, 1, 1, launched.handle);
    Instance(graph).run(stream);
}

#ifdef KIT_CPU
__global__ void relaunch_for_ever(int* rounds) {
    ++*rounds;
    cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}
PLANTED("a graph that launches itself for ever", "timeout", "did not end within") {
    Buffer<int> rounds(1, 0);
    Stream stream;
    Graph graph;
    graph.kernel({}, relaunch_for_ever, 1, 1, rounds.data());
    const ForDevice loop(graph, stream);
    kit::cpu::set_kernel_time_limit(0.1);
    cudaGraphLaunch(loop, stream);  // <-
    cudaStreamSynchronize(stream);
    kit::cpu::set_kernel_time_limit(10);
}
#endif

CHECKS_MAIN("planted_device_graphs")

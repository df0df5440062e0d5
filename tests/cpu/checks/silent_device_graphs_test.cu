// Correct programs with graphs that kernels launch, and with conditional nodes: they look like those in
// planted_device_graphs_test.cu.
#include "../device_graph_fixture.cuh"
#include "checks.cuh"

namespace {

__global__ void bump(int* data) {
    data[threadIdx.x] += 1;
}

__global__ void last_decides(cudaGraphConditionalHandle handle, unsigned* ticket, const int* data) {
    if (threadIdx.x != 0) return;
    __threadfence();
    if (atomicAdd(ticket, 1) == gridDim.x - 1) cudaGraphSetConditional(handle, data[0] >= 0);
}

__global__ void first_and_then_last(cudaGraphConditionalHandle handle) {
    if (threadIdx.x == 0) cudaGraphSetConditional(handle, 0);
    __syncthreads();
    if (threadIdx.x == 31) cudaGraphSetConditional(handle, 1);
}

__global__ void decide(cudaGraphConditionalHandle handle, unsigned value) {
    cudaGraphSetConditional(handle, value);
}

__global__ void fire(cudaGraphExec_t exec) {
    cudaGraphLaunch(exec, cudaStreamGraphFireAndForget);
}
__global__ void into_tail(cudaGraphExec_t exec) {
    cudaGraphLaunch(exec, cudaStreamGraphTailLaunch);
}

__global__ void give_to_launched(int* data, cudaGraphExec_t exec) {
    data[threadIdx.x] = 3;
    __syncthreads();
    if (threadIdx.x == 0) cudaGraphLaunch(exec, cudaStreamGraphFireAndForget);
}

__global__ void work_then_tail(cudaGraphExec_t worker, int* rounds, int most) {
    if (++*rounds > most) return;
    cudaGraphLaunch(worker, cudaStreamGraphTailLaunch);
    cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}

}  // namespace

SILENT("the last block to finish sets the condition") {
    Buffer<int> data(32, 0);
    Buffer<unsigned> ticket(1, 0);
    Stream stream;
    Graph graph;
    const cudaGraphConditionalHandle handle = condition(graph);
    const cudaGraphNode_t first =
        graph.kernel({}, last_decides, 4, 32, handle, ticket.data(), static_cast<const int*>(data.data()));
    const Conditional node(graph, {first}, handle, cudaGraphCondTypeIf, 1);
    add_kernel(node.bodies[0], {}, bump, 1, 32, data.data());
    Instance(graph).run(stream);
    CHECK_EQUAL(data.read()[31], 1);
}

SILENT("two threads set it, with a barrier between") {
    Buffer<int> data(32, 0);
    Stream stream;
    Graph graph;
    const cudaGraphConditionalHandle handle = condition(graph);
    const cudaGraphNode_t first = graph.kernel({}, first_and_then_last, 1, 32, handle);
    const Conditional node(graph, {first}, handle, cudaGraphCondTypeIf, 1);
    add_kernel(node.bodies[0], {}, bump, 1, 32, data.data());
    Instance(graph).run(stream);
    CHECK_EQUAL(data.read()[0], 1);
}

SILENT("two kernels set it, the one behind the other") {
    Buffer<int> data(32, 0);
    Stream stream;
    Graph graph;
    const cudaGraphConditionalHandle handle = condition(graph);
    const cudaGraphNode_t first = graph.kernel({}, decide, 1, 1, handle, 0u);
    const cudaGraphNode_t second = graph.kernel({first}, decide, 1, 1, handle, 1u);
    const Conditional node(graph, {second}, handle, cudaGraphCondTypeIf, 1);
    add_kernel(node.bodies[0], {}, bump, 1, 32, data.data());
    Instance(graph).run(stream);
    CHECK_EQUAL(data.read()[0], 1);
}

SILENT("behind a conditional node, and behind its graph in another stream") {
    Buffer<int> data(32, 0);
    Stream a(cudaStreamNonBlocking), b(cudaStreamNonBlocking);
    Event done;
    Graph graph;
    const cudaGraphNode_t first = graph.kernel({}, bump, 1, 32, data.data());
    const Conditional node(graph, {first}, condition(graph, 1), cudaGraphCondTypeIf, 1);
    const cudaGraphNode_t inside = add_kernel(node.bodies[0], {}, bump, 1, 32, data.data());
    add_kernel(node.bodies[0], {inside}, bump, 1, 32, data.data());
    graph.kernel({node.node}, bump, 1, 32, data.data());
    const Instance instance(graph);
    cudaGraphLaunch(instance, a);
    cudaEventRecord(done, a);
    cudaStreamWaitEvent(b, done, 0);
    bump<<<1, 32, 0, b>>>(data);
    CHECK_EQUAL(data.read()[5], 5);
}

SILENT("a fired graph reads what the launching block wrote before") {
    Buffer<int> data(32, 0);
    Stream stream;
    Graph inner, graph;
    inner.kernel({}, bump, 1, 32, data.data());
    const ForDevice launched(inner, stream);
    graph.kernel({}, give_to_launched, 1, 32, data.data(), launched.handle);
    Instance(graph).run(stream);
    CHECK_EQUAL(data.read()[31], 4);
}

SILENT("a tail comes behind all of its graph, and behind what that has fired") {
    Buffer<int> data(32, 0);
    Stream stream;
    Graph inner, other, graph;
    inner.kernel({}, bump, 1, 32, data.data());
    other.kernel({}, bump, 1, 32, data.data());
    const ForDevice launched(inner, stream), last(other, stream);
    const cudaGraphNode_t tail = graph.kernel({}, into_tail, 1, 1, last.handle);
    const cudaGraphNode_t middle = graph.kernel({tail}, bump, 1, 32, data.data());
    graph.kernel({middle}, fire, 1, 1, launched.handle);
    Instance(graph).run(stream);
    CHECK_EQUAL(data.read()[31], 3);
}

SILENT("a scheduler: a worker and itself into its tail") {
    Buffer<int> data(32, 0), rounds(1, 0);
    Stream stream;
    Graph inner, graph;
    inner.kernel({}, bump, 1, 32, data.data());
    const ForDevice worker(inner, stream);
    graph.kernel({}, work_then_tail, 1, 1, worker.handle, rounds.data(), 20);
    const ForDevice scheduler(graph, stream);
    scheduler.run(stream);
    CHECK_EQUAL(data.read()[31], 20);
}

CHECKS_MAIN("silent_device_graphs")

// The loops that the demo compares: rounds until nothing changes, started by the host, by kernels, or by a graph. All of
// them run the round of the solution of while_node.
#pragma once

#include <memory>

#include "17_device_graphs/17_device_graphs.hpp"
#include "17_device_graphs/nodes.hpp"
#include "kit.cuh"

namespace device_graphs {
// Defined in the solutions.
__global__ void set_up(int* labels, int n, LoopState* state);
__global__ void one_round(const Edge* edges, int m, int* labels, LoopState* state);
__global__ void schedule(const Task* tasks, const int* count, int* next, Task* current,
                         cudaGraphExec_t triple, cudaGraphExec_t square);
__global__ void triple_all(const Task* current, unsigned* data);
__global__ void square_all(const Task* current, unsigned* data);
}  // namespace device_graphs

namespace loops {

using device_graphs::add_kernel;
using device_graphs::kBlock;
using device_graphs::Labels;
using device_graphs::LoopState;
using Exec = std::shared_ptr<CUgraphExec_st>;

/// Returns an instance that is destroyed automatically, and destroys the graph.
inline Exec instance(cudaGraph_t graph, unsigned long long flags = 0) {
    cudaGraphExec_t exec = nullptr;
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, flags));
    CUDA_CHECK(cudaGraphDestroy(graph));
    return {exec, cudaGraphExecDestroy};
}

inline Exec for_device(cudaGraph_t graph) {
    const Exec made = instance(graph, cudaGraphInstantiateFlagDeviceLaunch);
    CUDA_CHECK(cudaGraphUpload(made.get(), nullptr));
    CUDA_CHECK(cudaDeviceSynchronize());
    return made;
}

inline cudaGraph_t new_graph() {
    cudaGraph_t graph = nullptr;
    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    return graph;
}

// ---- labels until nothing changes -----------------------------------------------------------------------

inline int blocks_for(int n) {
    return n < 1 ? 1 : static_cast<int>(kit::ceil_div(n, kBlock));
}

/// Runs the rounds from the host, which reads after each round whether it changed a label.
inline void by_host(const Labels& work) {
    device_graphs::set_up<<<blocks_for(work.n), kBlock>>>(work.labels, work.n, work.state);
    for (LoopState now = {0, 1};; now = {0, now.rounds + 1}) {
        if (now.rounds > 1) CUDA_CHECK(cudaMemcpyAsync(work.state, &now, sizeof now, cudaMemcpyHostToDevice));
        device_graphs::one_round<<<blocks_for(work.m), kBlock>>>(work.edges, work.m, work.labels, work.state);
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaMemcpy(&now, work.state, sizeof now, cudaMemcpyDeviceToHost));
        if (now.changed == 0 || now.rounds >= work.most_rounds) return;
    }
}

__device__ inline bool again(LoopState* state, int most_rounds) {
    if (state->changed == 0 || state->rounds >= most_rounds) return false;
    *state = {0, state->rounds + 1};
    return true;
}

/// Works like tail_loop of topic 16: a kernel of one thread launches a round, and itself into its tail.
__global__ void round_and_tail(Labels work, bool first) {
    if (!first && !again(work.state, work.most_rounds)) return;
    device_graphs::one_round<<<(work.m + kBlock - 1) / kBlock, kBlock>>>(work.edges, work.m, work.labels,
                                                                         work.state);
    if (cudaGetLastError() != cudaSuccess) __trap();
    round_and_tail<<<1, 1, 0, cudaStreamTailLaunch>>>(work, false);
    if (cudaGetLastError() != cudaSuccess) __trap();
}

inline void by_tail(const Labels& work) {
    device_graphs::set_up<<<blocks_for(work.n), kBlock>>>(work.labels, work.n, work.state);
    round_and_tail<<<1, 1>>>(work, true);
    CUDA_CHECK_LAUNCH();
}

__global__ void relaunch(LoopState* state, int most_rounds) {
    if (!again(state, most_rounds)) return;
    if (cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch) != cudaSuccess) __trap();
}

/// Returns an instance of a round and a kernel that launches the instance again. The host must run set_up first.
inline Exec relaunching(const Labels& work) {
    const cudaGraph_t graph = new_graph();
    const cudaGraphNode_t round = add_kernel(graph, {}, device_graphs::one_round, blocks_for(work.m), kBlock,
                                             work.edges, work.m, work.labels, work.state);
    add_kernel(graph, {round}, relaunch, 1, 1, work.state, work.most_rounds);
    return for_device(graph);
}

// ---- rounds that only count -----------------------------------------------------------------------------

__global__ void count_round(int* count) {
    ++*count;
}

__global__ void count_and_tail(int* count, int most) {
    if (++*count == most) return;
    count_and_tail<<<1, 1, 0, cudaStreamTailLaunch>>>(count, most);
    if (cudaGetLastError() != cudaSuccess) __trap();
}

__global__ void count_and_set(cudaGraphConditionalHandle handle, int* count, int most) {
    cudaGraphSetConditional(handle, ++*count < most ? 1 : 0);
}

__global__ void count_and_relaunch(int* count, int most) {
    if (++*count == most) return;
    if (cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch) != cudaSuccess) __trap();
}

/// Returns an instance with a WHILE node whose body is one kernel.
inline Exec counting_while(int* count, int most) {
    const cudaGraph_t graph = new_graph();
    cudaGraphConditionalHandle handle = 0;
    CUDA_CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams loop = {};
    loop.type = cudaGraphNodeTypeConditional;
    loop.conditional.handle = handle;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
    cudaGraphNode_t node = nullptr;
    CUDA_CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop));
    add_kernel(loop.conditional.phGraph_out[0], {}, count_and_set, 1, 1, handle, count, most);
    return instance(graph);
}

inline Exec counting_graph(int* count, int most) {
    const cudaGraph_t graph = new_graph();
    add_kernel(graph, {}, count_and_relaunch, 1, 1, count, most);
    return for_device(graph);
}

// ---- launches of graphs of several sizes ----------------------------------------------------------------

/// Returns a graph of this many counting kernels in a row.
inline cudaGraph_t row_of(int nodes, int* count) {
    const cudaGraph_t graph = new_graph();
    cudaGraphNode_t last = nullptr;
    for (int i = 0; i < nodes; ++i)
        last = i == 0 ? add_kernel(graph, {}, count_round, 1, 1, count)
                      : add_kernel(graph, {last}, count_round, 1, 1, count);
    return graph;
}

__global__ void fire(cudaGraphExec_t exec) {
    if (cudaGraphLaunch(exec, cudaStreamGraphFireAndForget) != cudaSuccess) __trap();
}

/// Returns an instance whose only kernel launches the given instance.
inline Exec launcher_of(const Exec& other) {
    const cudaGraph_t graph = new_graph();
    add_kernel(graph, {}, fire, 1, 1, other.get());
    return instance(graph);
}

}  // namespace loops

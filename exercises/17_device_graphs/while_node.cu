// 17_device_graphs/while_node: a loop until nothing changes, as a node.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests while_node.cu
//        ../../tests/17_device_graphs/while_node_test.cu -o while_node
// Run:   ./while_node
//
//   v2  build_while: a WHILE node repeats a round and a decision

#include <cuda/atomic>

#include "17_device_graphs/17_device_graphs.hpp"
#include "17_device_graphs/nodes.hpp"
#include "kit.cuh"

namespace device_graphs {

/// Sets the labels and the state before the first round, which is counted here.
__global__ void set_up(int* labels, int n, LoopState* state) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) labels[v] = v;
    if (v == 0) *state = {0, 1};
}

/// Returns a label that other threads may be changing at the same time.
__device__ int read_label(int& label) {
    return cuda::atomic_ref<int, cuda::thread_scope_device>(label).load(cuda::memory_order_relaxed);
}

/// One round: gives the smaller of the two labels to both ends of each edge.
__global__ void one_round(const Edge* edges, int m, int* labels, LoopState* state) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= m) return;
    Edge edge = edges[e];
    int a = read_label(labels[edge.a]);
    int b = read_label(labels[edge.b]);
    if (a == b) return;
    int higher = a < b ? edge.b : edge.a;  // the end with the higher label
    atomicMin(&labels[higher], min(a, b));
    atomicExch(&state->changed, 1);
}

// [decide]
__global__ void decide_round(cudaGraphConditionalHandle handle, LoopState* state, int most_rounds) {
    // TODO(1): Decide whether another round follows: not if this one changed nothing, and not if most_rounds have run. If one
    // follows, count it, and assume that it will change nothing. In both cases set the condition. About 3 lines.
    KIT_TODO(1, handle, state, most_rounds);
}
// [/decide]

// v2: the loop is a node. Like tail_loop of topic 16, but without a kernel that launches, and without -rdc.
// Cost    : two kernels per round; the host launches once, regardless of the number of rounds.
// Requires: the body sets the condition; otherwise the loop never ends.
// Next    : a loop that also selects the work of its body; see switch_node.cu.
// [build]
cudaGraph_t build_while(const Labels& work) {
    cudaGraph_t graph = nullptr, body = nullptr;
    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphConditionalHandle handle = 0;
    cudaGraphNode_t ready =
        add_kernel(graph, {}, set_up, kit::ceil_div(work.n, kBlock), kBlock, work.labels, work.n, work.state);

    // TODO(2): Create a condition that is 1 at each launch, since the first round always runs. Then add the WHILE node after
    // `ready`, and get its body. About 9 lines.
    KIT_TODO(2, handle, ready, body);

    // TODO(3): Fill the body with one_round, with at least one block, and decide_round after it. About 4 lines.
    KIT_TODO(3, body, one_round, decide_round);

    return graph;
}
// [/build]

}  // namespace device_graphs

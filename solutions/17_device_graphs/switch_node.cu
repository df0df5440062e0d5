// 17_device_graphs/switch_node: a decoder for each piece, chosen in a loop; pieces that depend on the previous one.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests switch_node.cu
//        ../../tests/17_device_graphs/switch_node_test.cu -o switch_node
// Run:   ./switch_node
//
//   v3  build_switch: a SWITCH node in the body of a WHILE node

#include "17_device_graphs/17_device_graphs.hpp"
#include "17_device_graphs/nodes.hpp"
#include "kit.cuh"

namespace device_graphs {

// The decoders. The length of the piece is known only when they run, so they use a fixed grid and a stride.

__global__ void decode_plain(const Piece* piece, const int*, const int* in, int* out) {
    int first = piece->first, end = first + piece->count;
    for (int i = first + threadIdx.x; i < end; i += blockDim.x) out[i] = in[i];
}

__global__ void decode_relative(const Piece* piece, const int* last, const int* in, int* out) {
    int first = piece->first, end = first + piece->count;
    for (int i = first + threadIdx.x; i < end; i += blockDim.x) out[i] = *last + in[i];
}

__global__ void decode_reversed(const Piece* piece, const int*, const int* in, int* out) {
    int first = piece->first, end = first + piece->count;
    for (int i = first + threadIdx.x; i < end; i += blockDim.x) out[i] = in[first + end - 1 - i];
}

/// Sets *next, *last and the condition before the loop. The number of pieces can be 0.
__global__ void begin_pieces(cudaGraphConditionalHandle loop, const int* count, int* next, int* last) {
    *next = 0;
    *last = 0;
    cudaGraphSetConditional(loop, *count > 0 ? 1 : 0);
}

// [kernels]
__global__ void take_piece(cudaGraphConditionalHandle kind, const Piece* pieces, const int* next,
                           Piece* current) {
    // TODO(1): Store the next piece in *current, and select its decoder. 2 lines.
    // BEGIN SOLUTION 1
    *current = pieces[*next];
    cudaGraphSetConditional(kind, current->kind);
    // STARTER KIT_TODO(1, kind, pieces, next, current);
    // END SOLUTION 1
}

__global__ void go_on(cudaGraphConditionalHandle loop, const int* count, const Piece* current, const int* out,
                      int* next, int* last) {
    // TODO(2): Store the value that a relative piece needs next in *last. Advance to the next piece, and let the loop continue
    // only if there is one. Which pieces decode nothing? About 4 lines.
    // BEGIN SOLUTION 2
    bool decoded = current->kind >= 0 && current->kind < kKinds && current->count > 0;
    if (decoded) *last = out[current->first + current->count - 1];
    ++*next;
    cudaGraphSetConditional(loop, *next < *count ? 1 : 0);
    // STARTER KIT_TODO(2, loop, count, current, out, next, last);
    // END SOLUTION 2
}
// [/kernels]

/// Given: adds a conditional node after `before`. Its bodies are in params.conditional.phGraph_out.
cudaGraphNode_t add_conditional(cudaGraph_t graph, cudaGraphNode_t before, cudaGraphConditionalHandle handle,
                                cudaGraphConditionalNodeType type, unsigned bodies,
                                cudaGraphNodeParams& params) {
    params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = bodies;
    cudaGraphNode_t node = nullptr;
    CUDA_CHECK(cudaGraphAddNode(&node, graph, &before, nullptr, 1, &params));
    return node;
}

// v3: a choice inside a loop. The handles of both belong to the outermost graph.
// Cost    : three kernels per piece, one after another; pieces do not overlap.
// Requires: each condition is set before its node runs, again in every round.
// Next    : kernels that launch whole graphs; see device_launch.cu.
// [build]
cudaGraph_t build_switch(const Pieces& work) {
    cudaGraph_t graph = nullptr;
    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphConditionalHandle loop = 0, kind = 0;
    CUDA_CHECK(cudaGraphConditionalHandleCreate(&loop, graph, 0, 0));
    CUDA_CHECK(cudaGraphConditionalHandleCreate(&kind, graph, 0, 0));
    cudaGraphNodeParams repeat = {}, choose = {};
    cudaGraphNode_t begun = add_kernel(graph, {}, begin_pieces, 1, 1, loop, work.count, work.next, work.last);
    add_conditional(graph, begun, loop, cudaGraphCondTypeWhile, 1, repeat);
    cudaGraph_t body = repeat.conditional.phGraph_out[0];

    // TODO(3): Fill the body: take_piece, a SWITCH node of kKinds bodies, and go_on. Which of them needs results of which?
    // About 4 lines.
    // BEGIN SOLUTION 3
    cudaGraphNode_t taken =
        add_kernel(body, {}, take_piece, 1, 1, kind, work.pieces, work.next, work.current);
    cudaGraphNode_t decoded = add_conditional(body, taken, kind, cudaGraphCondTypeSwitch, kKinds, choose);
    add_kernel(body, {decoded}, go_on, 1, 1, loop, work.count, work.current, work.out, work.next, work.last);
    // STARTER KIT_TODO(3, body, kind, take_piece, go_on);
    // END SOLUTION 3

    // TODO(4): Add one decoder to each body of the SWITCH node. 5 lines.
    // BEGIN SOLUTION 4
    void (*const decoders[kKinds])(const Piece*, const int*, const int*, int*) = {
        decode_plain, decode_relative, decode_reversed};
    for (int k = 0; k < kKinds; ++k)
        add_kernel(choose.conditional.phGraph_out[k], {}, decoders[k], 1, kBlock, work.current, work.last,
                   work.in, work.out);
    // STARTER KIT_TODO(4, choose, decode_plain, decode_relative, decode_reversed);
    // END SOLUTION 4

    return graph;
}
// [/build]

}  // namespace device_graphs

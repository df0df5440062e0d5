// 21_attention/decode_graph: a graph per padded batch size, updated.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests decode_graph.cu
//        ../../tests/21_attention/decode_graph_test.cu -o decode_graph
// Run:   ./decode_graph
//
//   v6  decode: chooses the graph of the padded size, sets the parameters of one node, launches

#include "21_attention/21_attention.hpp"
#include "21_attention/small_model.cuh"
#include "grader/count_calls.hpp"  // the grader counts the captures, instances and launches in this file
#include "kit.cuh"

namespace attention {

/// The first kernel of a step: stores its batch where the other kernels read it. It is the only one whose parameters change.
__global__ void begin_step(Batch batch, Batch* current) {
    *current = batch;
}

// [guard]
/// Returns whether the batch has an entry for this block. The grid is padded, so it can have more blocks than the batch has entries.
__device__ bool has_entry(const Batch* current) {
    // TODO(1): Compare the number of this block with the number of entries. 1 line.
    // BEGIN SOLUTION 1
    return static_cast<int>(blockIdx.x) < current->n;
    // STARTER KIT_TODO(1, current);
    // STARTER return false;
    // END SOLUTION 1
}
// [/guard]

__global__ void append(Model model, Slots slots, const Batch* current) {
    if (!has_entry(current)) return;
    append_token(model, slots, current->slots[blockIdx.x], current->tokens[blockIdx.x]);
}

__global__ void attend(Model model, Slots slots, const Batch* current, float* hidden) {
    if (!has_entry(current)) return;
    hidden[blockIdx.x * kHidden + threadIdx.x] =
        attend_token(model, slots, current->slots[blockIdx.x], current->tokens[blockIdx.x]);
}

__global__ void project(Model model, Slots slots, const Batch* current, const float* hidden) {
    if (!has_entry(current)) return;
    int at = blockIdx.x * kHidden + threadIdx.x;
    current->logits[at] = logit_of_lane(model, hidden[at]);
    if (threadIdx.x == 0) ++slots.lengths[current->slots[blockIdx.x]];
}

/// Launches the four kernels of a step into the stream, with `padded` blocks each, except the first one.
void launch_step(const Decoder& decoder, const Batch& batch, int padded, cudaStream_t stream) {
    begin_step<<<1, 1, 0, stream>>>(batch, decoder.current);
    CUDA_CHECK_LAUNCH();
    append<<<padded, 32, 0, stream>>>(decoder.model, decoder.slots, decoder.current);
    CUDA_CHECK_LAUNCH();
    attend<<<padded, 32, 0, stream>>>(decoder.model, decoder.slots, decoder.current, decoder.hidden);
    CUDA_CHECK_LAUNCH();
    project<<<padded, 32, 0, stream>>>(decoder.model, decoder.slots, decoder.current, decoder.hidden);
    CUDA_CHECK_LAUNCH();
}

// [size]
/// Returns the number of the padded size for n entries: the smallest i with 2^i >= n.
int size_for(int n) {
    // TODO(2): Find it. About 3 lines.
    // BEGIN SOLUTION 2
    int i = 0;
    while ((1 << i) < n) ++i;
    return i;
    // STARTER KIT_TODO(2, n);
    // STARTER return 0;
    // END SOLUTION 2
}
// [/size]

// [record]
/// Captures a step with 2^i entries, and makes an instance of it. The parameters of its first node are set before each launch.
void record(Decoder& decoder, int i, cudaStream_t stream) {
    PaddedGraph& padded = decoder.padded[i];
    // TODO(3): Capture launch_step() with an empty batch into padded.graph, and make the instance padded.exec. Then get the first
    // node with cudaGraphGetRootNodes. About 6 lines.
    // BEGIN SOLUTION 3
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    launch_step(decoder, Batch(), 1 << i, stream);
    CUDA_CHECK(cudaStreamEndCapture(stream, &padded.graph));
    CUDA_CHECK(cudaGraphInstantiate(&padded.exec, padded.graph, 0));
    size_t one = 1;
    CUDA_CHECK(cudaGraphGetRootNodes(padded.graph, &padded.first, &one));
    // STARTER KIT_TODO(3, padded, stream);
    // END SOLUTION 3
}
// [/record]

// v6: like a launch of each kernel, but the host launches once per step, and passes the batch to one node.
// Cost    : a capture and an instance per padded size; after that, one change and one launch per step.
// Requires: kernels that ignore the entries which the batch does not have.
// Next    : the host still launches every step, because it chooses the tokens; see v7 in decode_loop.cu.
// [v6]
void decode(Decoder& decoder, const Batch& batch, cudaStream_t stream) {
    PaddedGraph& padded = decoder.padded[size_for(batch.n)];
    // TODO(4): If this size has no instance yet, record it. Then set the parameters of its first node with
    // cudaGraphExecKernelNodeSetParams: one block of one thread, with `batch` and decoder.current. Launch the instance. About 9 lines.
    // BEGIN SOLUTION 4
    if (padded.exec == nullptr) record(decoder, size_for(batch.n), stream);
    Batch wanted = batch;
    void* arguments[] = {&wanted, &decoder.current};
    cudaKernelNodeParams params = {};
    params.func = reinterpret_cast<void*>(begin_step);
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = arguments;
    CUDA_CHECK(cudaGraphExecKernelNodeSetParams(padded.exec, padded.first, &params));
    CUDA_CHECK(cudaGraphLaunch(padded.exec, stream));
    // STARTER KIT_TODO(4, padded, batch, stream);
    // END SOLUTION 4
}
// [/v6]

void close(Decoder& decoder) {
    for (PaddedGraph& padded : decoder.padded) {
        if (padded.exec != nullptr) CUDA_CHECK(cudaGraphExecDestroy(padded.exec));
        if (padded.graph != nullptr) CUDA_CHECK(cudaGraphDestroy(padded.graph));
        padded = PaddedGraph();
    }
}

}  // namespace attention

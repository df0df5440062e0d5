// 21_attention/decode_loop: sampling and the end of the loop, on the device.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests decode_loop.cu
//        ../../tests/21_attention/decode_loop_test.cu -o decode_loop
// Run:   ./decode_loop
//
//   v7  build_generator: a WHILE node repeats a step, the choice of the tokens, and the decision

#include "21_attention/21_attention.hpp"
#include "21_attention/small_model.cuh"
#include "grader/count_calls.hpp"  // the grader counts the launches and waits in this file
#include "kit.cuh"

namespace attention {

constexpr unsigned kAllLanes = 0xffffffffu;

/// Sets every sequence to its start. One block per sequence.
__global__ void start(Generation work) {
    int s = blockIdx.x;
    work.slots.lengths[s] = work.starts[s];
    work.newest[s] = work.first[s];
    work.counts[s] = 0;
    work.done[s] = 0;
    if (s == 0) *work.active = work.sequences;
}

/// Computes the logits of the next token of each sequence that is not done. One warp per sequence.
__global__ void forward(Generation work) {
    int s = blockIdx.x;
    if (work.done[s]) return;
    append_token(work.model, work.slots, s, work.newest[s]);
    float hidden = attend_token(work.model, work.slots, s, work.newest[s]);
    work.logits[s * kVocabulary + threadIdx.x] = logit_of_lane(work.model, hidden);
    __syncwarp();  // all lanes have read the length
    if (threadIdx.x == 0) ++work.slots.lengths[s];
}

/// Returns the largest value of the lanes to each of them.
__device__ float max_of_warp(float value) {
    for (int offset = 16; offset > 0; offset /= 2)
        value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, offset));
    return value;
}

/// Returns the sum of the values of lanes 0 to this one, including this one.
__device__ float scan_of_warp(float value) {
    for (int offset = 1; offset < 32; offset *= 2) {
        float other = __shfl_up_sync(kAllLanes, value, offset);
        if (static_cast<int>(threadIdx.x) >= offset) value += other;
    }
    return value;
}

// [greedy]
/// Returns the token with the largest logit to each lane. Lane t has the logit of token t.
__device__ int most_probable(float logit) {
    // TODO(1): Find the largest logit with max_of_warp. Then find the first lane that has it, with __ballot_sync and __ffs. 2 lines.
    // BEGIN SOLUTION 1
    float largest = max_of_warp(logit);
    return __ffs(static_cast<int>(__ballot_sync(kAllLanes, logit == largest))) - 1;
    // STARTER KIT_TODO(1, logit);
    // STARTER return 0;
    // END SOLUTION 1
}
// [/greedy]

// [sample]
/// Returns a random token to each lane. Token t has the probability weight(t) / (sum of all weights), where weight(t)
/// is exp((logit(t) - largest logit) / temperature). `random` is at least 0 and below 1.
__device__ int sample(float logit, float temperature, float random) {
    // TODO(2): Compute the weight of this lane's token, and the sum of the weights up to this lane with scan_of_warp. The last lane
    // has the sum of all. Return the first lane whose sum is above random times the sum of all. About 4 lines.
    // BEGIN SOLUTION 2
    float weight = expf((logit - max_of_warp(logit)) / temperature);
    float up_to_here = scan_of_warp(weight);
    float all = __shfl_sync(kAllLanes, up_to_here, 31);
    return __ffs(static_cast<int>(__ballot_sync(kAllLanes, up_to_here > random * all))) - 1;
    // STARTER KIT_TODO(2, logit, temperature, random);
    // STARTER return 0;
    // END SOLUTION 2
}
// [/sample]

// [choose]
/// Chooses the next token of each sequence that is not done. One warp per sequence.
__global__ void choose(Generation work) {
    int s = blockIdx.x;
    if (work.done[s]) return;
    int count = work.counts[s];  // tokens before this one
    float logit = work.logits[s * kVocabulary + threadIdx.x];
    int token = work.temperature == 0
                    ? most_probable(logit)
                    : sample(logit, work.temperature, work.random[s * work.most_tokens + count]);
    __syncwarp();  // all lanes have read done and counts
    // TODO(3): Let one lane store the token as number `count` of its sequence and as its newest one, and count it. If it is the
    // end token, or if the sequence now has most_tokens, the sequence is done: subtract 1 from *work.active. About 9 lines.
    // BEGIN SOLUTION 3
    if (threadIdx.x == 0) {
        work.tokens[s * work.most_tokens + count] = token;
        work.newest[s] = token;
        work.counts[s] = count + 1;
        if (token == work.end_token || count + 1 == work.most_tokens) {
            work.done[s] = 1;
            atomicSub(work.active, 1);
        }
    }
    // STARTER KIT_TODO(3, count, token);
    // END SOLUTION 3
}
// [/choose]

// [decide]
/// Decides whether another round follows. The only kernel of the body that sets the condition.
__global__ void decide(cudaGraphConditionalHandle handle, const int* active) {
    // TODO(4): Let exactly one thread set the condition: 1 if a sequence is not done, and otherwise 0. 1 line.
    // BEGIN SOLUTION 4
    cudaGraphSetConditional(handle, *active > 0 ? 1 : 0);
    // STARTER KIT_TODO(4, handle, active);
    // END SOLUTION 4
}
// [/decide]

/// Captures what launch(stream) launches, as nodes of this graph without predecessors in it, except for each other.
template <class Launch>
void capture_into(cudaGraph_t graph, Launch launch) {
    cudaStream_t stream = nullptr;
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA_CHECK(
        cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal));
    launch(stream);
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaStreamDestroy(stream));
}

// v7: like v6, but no token comes to the host before the last one.
// Cost    : three kernels per round for all sequences; the host launches once.
// Requires: a model whose tokens need nothing from the host; the loop runs until the longest sequence is done.
// Next    : a server lets new sequences join while others continue, so its loop returns to the host from time to time.
// [v7]
cudaGraphExec_t build_generator(const Generation& work) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    cudaGraphNode_t started = nullptr;
    size_t one = 1;
    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    capture_into(graph, [&](cudaStream_t stream) {
        start<<<work.sequences, 1, 0, stream>>>(work);
        CUDA_CHECK_LAUNCH();
    });
    CUDA_CHECK(cudaGraphGetRootNodes(graph, &started, &one));

    // TODO(5): Create a condition that is 1 at each launch, and add a WHILE node after `started`. With capture_into, fill its body
    // with forward, choose and decide: one warp per sequence in the first two, one thread in the last. About 17 lines.
    // BEGIN SOLUTION 5
    cudaGraphConditionalHandle handle = 0;
    CUDA_CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams loop = {};
    loop.type = cudaGraphNodeTypeConditional;
    loop.conditional.handle = handle;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
    cudaGraphNode_t node = nullptr;
    CUDA_CHECK(cudaGraphAddNode(&node, graph, &started, nullptr, 1, &loop));
    capture_into(loop.conditional.phGraph_out[0], [&](cudaStream_t stream) {
        forward<<<work.sequences, 32, 0, stream>>>(work);
        CUDA_CHECK_LAUNCH();
        choose<<<work.sequences, 32, 0, stream>>>(work);
        CUDA_CHECK_LAUNCH();
        decide<<<1, 1, 0, stream>>>(handle, work.active);
        CUDA_CHECK_LAUNCH();
    });
    // STARTER KIT_TODO(5, started, forward, choose, decide);
    // END SOLUTION 5

    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
    return exec;
}

void generate(cudaGraphExec_t generator, cudaStream_t stream) {
    // TODO(6): Generate all tokens of all sequences. Do not wait. 1 line.
    // BEGIN SOLUTION 6
    CUDA_CHECK(cudaGraphLaunch(generator, stream));
    // STARTER KIT_TODO(6, generator, stream);
    // END SOLUTION 6
}
// [/v7]

}  // namespace attention

// wrong: launches into the default stream, which is not the one that captures
// diagnosis: the graph has 0 nodes

#include "14_graphs/14_graphs.hpp"
#include "14_graphs/count_calls.hpp"  // the grader counts this file's captures, instances and launches
#include "kit.cuh"

namespace graphs {

__global__ void blend(const unsigned int* a, unsigned int* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i] + a[(i + 1) % n];
}

/// The number of the round is read when the kernel runs. As an argument it would be that of the capture, for
/// ever.
__global__ void stir(const unsigned int* b, unsigned int* c, int n, const unsigned int* table,
                     const unsigned int* round) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = b[i] * table[i % 256] + *round;
}

__global__ void finish(const unsigned int* c, unsigned int* a, int n, unsigned int* round) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = c[i] ^ (c[i] >> 7);
    if (i == 0) ++*round;
}

void iterate(const State& state, cudaStream_t) {
    int blocks = kit::ceil_div(state.n, kBlock);
    const unsigned int* table = coefficients();  // the first call allocates
    blend<<<blocks, kBlock>>>(state.a, state.b, state.n);
    CUDA_CHECK_LAUNCH();
    stir<<<blocks, kBlock>>>(state.b, state.c, state.n, table, state.round);
    CUDA_CHECK_LAUNCH();
    finish<<<blocks, kBlock>>>(state.c, state.a, state.n, state.round);
    CUDA_CHECK_LAUNCH();
}

Recording record(const State& state, cudaStream_t stream) {
    Recording recording;

    coefficients();

    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    iterate(state, stream);
    CUDA_CHECK(cudaStreamEndCapture(stream, &recording.graph));
    CUDA_CHECK(cudaGraphInstantiate(&recording.exec, recording.graph, 0));

    return recording;
}

void replay(const Recording& recording, int iterations, cudaStream_t stream) {
    for (int i = 0; i < iterations; ++i) CUDA_CHECK(cudaGraphLaunch(recording.exec, stream));
}

void discard(Recording& recording) {
    CUDA_CHECK(cudaGraphExecDestroy(recording.exec));
    CUDA_CHECK(cudaGraphDestroy(recording.graph));
    recording = {};
}

}  // namespace graphs

// 14_graphs/capture: record three kernels once, launch them as one graph many times.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests capture.cu
//        ../../tests/14_graphs/capture_test.cu -o capture
// Run:   ./capture
//
//   v1  iterate: three launches per iteration (given)
//   v2  replay: like v1, but recorded once; one graph launch per iteration

#include "14_graphs/14_graphs.hpp"
#include "14_graphs/count_calls.hpp"  // the grader counts this file's captures, instances and launches
#include "kit.cuh"

namespace graphs {

__global__ void blend(const unsigned int* a, unsigned int* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i] + a[(i + 1) % n];
}

/// The number of the round is read when the kernel runs. As an argument it would stay that of the
/// capture.
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

// v1: three launches per iteration.
// Cost    : the host spends microseconds on each launch, whatever the kernels do.
// Next    : what the host does is the same every time: record it; see v2.
// [v1]
void iterate(const State& state, cudaStream_t stream) {
    int blocks = kit::ceil_div(state.n, kBlock);
    const unsigned int* table = coefficients();  // the first call allocates
    blend<<<blocks, kBlock, 0, stream>>>(state.a, state.b, state.n);
    CUDA_CHECK_LAUNCH();
    stir<<<blocks, kBlock, 0, stream>>>(state.b, state.c, state.n, table, state.round);
    CUDA_CHECK_LAUNCH();
    finish<<<blocks, kBlock, 0, stream>>>(state.c, state.a, state.n, state.round);
    CUDA_CHECK_LAUNCH();
}
// [/v1]

// v2: like v1, but recorded: the graph keeps kernels, shapes and arguments, and the order of the stream.
// Cost    : one launch per iteration; capture and instantiation once.
// Requires: pointers and sizes stay; nothing in the capture allocates or waits.
// Next    : a graph knows what does not depend on what; see v3 in fork_join.cu.
// [record]
Recording record(const State& state, cudaStream_t stream) {
    Recording recording;

    // TODO(1): Warm up: whatever iterate() does at its first call only must have happened before the capture
    // begins, and no iteration may run. 1 line; look at what iterate() calls.
    // BEGIN SOLUTION 1
    coefficients();
    // STARTER KIT_TODO(1, state);
    // END SOLUTION 1

    // TODO(2): Capture one iterate() in the stream into recording.graph, and make recording.exec of it. 4
    // lines.
    // BEGIN SOLUTION 2
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    iterate(state, stream);
    CUDA_CHECK(cudaStreamEndCapture(stream, &recording.graph));
    CUDA_CHECK(cudaGraphInstantiate(&recording.exec, recording.graph, 0));
    // STARTER KIT_TODO(2, state, stream);
    // END SOLUTION 2

    return recording;
}
// [/record]

// [replay]
void replay(const Recording& recording, int iterations, cudaStream_t stream) {
    // TODO(3): Launch the instance once per iteration. 1 or 2 lines.
    // BEGIN SOLUTION 3
    for (int i = 0; i < iterations; ++i) CUDA_CHECK(cudaGraphLaunch(recording.exec, stream));
    // STARTER KIT_TODO(3, recording, iterations, stream);
    // END SOLUTION 3
}

void discard(Recording& recording) {
    // TODO(4): Destroy the instance and the graph. 2 lines.
    // BEGIN SOLUTION 4
    CUDA_CHECK(cudaGraphExecDestroy(recording.exec));
    CUDA_CHECK(cudaGraphDestroy(recording.graph));
    // STARTER KIT_TODO(4, recording);
    // END SOLUTION 4
    recording = {};
}
// [/replay]

}  // namespace graphs

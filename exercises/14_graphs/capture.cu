// 14_graphs/capture: warm up, capture, instantiate, launch a hundred times.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests capture.cu
//        ../../tests/14_graphs/capture_test.cu -o capture
// Run:   ./capture
//
//   v1  iterate: three launches per iteration (given)
//   v2  replay: like v1, but recorded once; one graph launch per iteration

#include "14_graphs/14_graphs.hpp"
#include "14_graphs/count_calls.hpp"  // the grader counts the captures, instances and launches in this file
#include "kit.cuh"

namespace graphs {

__global__ void blend(const unsigned int* a, unsigned int* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i] + a[(i + 1) % n];
}

/// Reads the number of the round from memory when the kernel runs. A number passed as an argument would keep
/// its value from the capture.
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
// Cost    : the host spends microseconds on each launch, regardless of the work in the kernels.
// Next    : the host does the same work every time, so it can record it; see v2.
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

// v2: like v1, but recorded: the graph holds the kernels, shapes and arguments, and the order of the stream.
// Cost    : one launch per iteration; capture and instantiation once.
// Requires: pointers and sizes do not change; nothing in the capture allocates or waits.
// Next    : a graph can also record which nodes are independent; see v3 in fork_join.cu.
// [record]
Recording record(const State& state, cudaStream_t stream) {
    Recording recording;

    // TODO(1): Warm up: do everything that only the first call of iterate() does before the capture starts, but
    // do not run an iteration. Look at the functions that iterate() calls. 1 line.
    KIT_TODO(1, state);

    // TODO(2): Capture one iterate() in the stream into recording.graph, and instantiate it as recording.exec.
    // 4 lines.
    KIT_TODO(2, state, stream);

    return recording;
}
// [/record]

// [replay]
void replay(const Recording& recording, int iterations, cudaStream_t stream) {
    // TODO(3): Launch the instance once per iteration. About 1 line.
    KIT_TODO(3, recording, iterations, stream);
}

void discard(Recording& recording) {
    // TODO(4): Destroy the instance and the graph. 2 lines.
    KIT_TODO(4, recording);
    recording = {};
}
// [/replay]

}  // namespace graphs

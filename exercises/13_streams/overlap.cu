// 13_streams/overlap: pinned memory, and a loop over chunks in three streams.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests overlap.cu ../../tests/13_streams/overlap_test.cu
//        -o overlap
// Run:   ./overlap
//
//   v1  one_lane: copies in, computes and copies out one chunk after another, in one stream (given)
//   v2  process: like v1, but with three lanes
//   and best_chunks, the number of chunks that takes the least time

#include <algorithm>
#include <cmath>

#include "13_streams/13_streams.hpp"
#include "grader/count_calls.hpp"  // the grader counts the waits in this file
#include "kit.cuh"

namespace streams {

__global__ void advance(unsigned int* values, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned int x = values[i];
    for (int round = 0; round < rounds; ++round) x = 1664525u * x + 1013904223u;
    values[i] = x;
}

// v1: one stream.
// Cost    : the two copy engines and the multiprocessors work one at a time; m chunks take 3m steps.
// Next    : chunk 1 does not depend on chunk 0; see v2.
// [one_lane]
void one_lane(const Channel& channel, int chunk, int rounds, const Lane& lane) {
    for (int first = 0; first < channel.n; first += chunk) {
        int size = std::min(chunk, channel.n - first);
        std::size_t bytes = size * sizeof(unsigned int);
        CUDA_CHECK(
            cudaMemcpyAsync(lane.values, channel.in + first, bytes, cudaMemcpyHostToDevice, lane.stream));
        advance<<<kit::ceil_div(size, kBlock), kBlock, 0, lane.stream>>>(lane.values, size, rounds);
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(
            cudaMemcpyAsync(channel.out + first, lane.values, bytes, cudaMemcpyDeviceToHost, lane.stream));
    }
    CUDA_CHECK(cudaStreamSynchronize(lane.stream));
}
// [/one_lane]

// TODO(1): Allocate both arrays in pinned host memory. About 3 lines.
Channel open_channel(int n) {
    Channel channel;
    channel.n = n;
    KIT_TODO(1, n);
    return channel;
}

// TODO(2): Free both arrays, with the function that matches their allocation. 2 lines.
void close_channel(Channel& channel) {
    KIT_TODO(2, channel);
    channel = {};
}

// v2: like v1, but with three lanes.
// Cost    : one chunk is computed while a second is copied in and a third is copied out; m chunks take m + 2 steps.
// Requires: pinned memory, and streams that do not wait for each other.
// Next    : work that depends on another stream; see dependencies.cu.
// [process]
void process(const Channel& channel, int chunk, int rounds, const Lane (&lanes)[kLanes]) {
    // TODO(3): Queue all chunks, so that m chunks take m + 2 steps. No chunk may use the memory of a lane before the previous chunk of
    // that lane has been copied out. About 11 lines.
    KIT_TODO(3, channel, chunk, rounds, lanes);

    // TODO(4): Wait until the work of every lane has finished. 1 line.
    KIT_TODO(4, lanes);
}
// [/process]

// [best_chunks]
int best_chunks(double work, double per_chunk) {
    // TODO(5): Write the time of all m + 2 steps as a function of m, and return the m where it is smallest. About 4 lines.
    KIT_TODO(5, work, per_chunk);
    return 1;
}
// [/best_chunks]

}  // namespace streams

// 14_graphs/fork_join: a graph with branches, from three streams.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests fork_join.cu
//        ../../tests/14_graphs/fork_join_test.cu -o fork_join
// Run:   ./fork_join
//
//   v3  chain: five kernels in one stream, five nodes in a row (given)
//   v4  fork_join: like v3, but independent kernels may run at the same time

#include <climits>

#include "14_graphs/14_graphs.hpp"
#include "14_graphs/count_calls.hpp"  // the grader counts the captures, instances and launches in this file
#include "kit.cuh"

namespace graphs {

__global__ void prepare_values(const int* in, int* work, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) work[i] = in[i] * 3 + 1;
}

struct Smaller {
    __device__ int operator()(int a, int b) const { return b < a ? b : a; }
};
struct Larger {
    __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};
struct Plus {
    __device__ long long operator()(long long a, long long b) const { return a + b; }
};

/// Reduces all values in one block. One of 132 multiprocessors is busy, so other kernels can run at the same time.
template <class T, class Operation>
__device__ void reduce_in_one_block(const int* values, int n, T identity, Operation operation, T* out) {
    __shared__ T tile[kBlock];
    int t = threadIdx.x;
    T value = identity;
    for (int i = t; i < n; i += kBlock) value = operation(value, values[i]);
    tile[t] = value;
    for (int count = kBlock; count > 1; count /= 2) {
        __syncthreads();  // this step reads values that other threads wrote in the previous step
        int other = t + count / 2;
        if (other < count) tile[t] = operation(tile[t], tile[other]);
    }
    if (t == 0) *out = tile[0];
}

__global__ void find_smallest(const int* work, int n, int* out) {
    reduce_in_one_block(work, n, INT_MAX, Smaller{}, out);
}

__global__ void find_largest(const int* work, int n, int* out) {
    reduce_in_one_block(work, n, INT_MIN, Larger{}, out);
}

__global__ void find_total(const int* work, int n, long long* out) {
    reduce_in_one_block(work, n, 0LL, Plus{}, out);
}

__global__ void combine(const int* work, int n, const int* smallest, const int* largest,
                        const long long* total, long long* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long span = static_cast<long long>(*largest) - *smallest + 1;
    if (i < n) out[i] = static_cast<long long>(work[i]) - *smallest + *total / span;
}

// v3: five kernels in one stream.
// Cost    : the three reductions wait for each other, although none depends on another.
// Next    : three streams; see v4.
// [chain]
cudaGraph_t chain(const Summary& s, const Lanes& lanes) {
    int blocks = kit::ceil_div(s.n, kBlock);
    cudaGraph_t graph = nullptr;
    CUDA_CHECK(cudaStreamBeginCapture(lanes.main, cudaStreamCaptureModeThreadLocal));
    prepare_values<<<blocks, kBlock, 0, lanes.main>>>(s.in, s.work, s.n);
    find_smallest<<<1, kBlock, 0, lanes.main>>>(s.work, s.n, s.smallest);
    find_largest<<<1, kBlock, 0, lanes.main>>>(s.work, s.n, s.largest);
    find_total<<<1, kBlock, 0, lanes.main>>>(s.work, s.n, s.total);
    combine<<<blocks, kBlock, 0, lanes.main>>>(s.work, s.n, s.smallest, s.largest, s.total, s.out);
    CUDA_CHECK_LAUNCH();  // none of the launches has failed
    CUDA_CHECK(cudaStreamEndCapture(lanes.main, &graph));
    return graph;
}
// [/chain]

// v4: like v3, but the capture forks into three streams and joins them.
// Cost    : the time of the longest branch instead of the sum of all three.
// Requires: each side stream waits for an event of the capture, and the main stream waits for an event of each.
// Next    : build the same graph without streams, node by node; see v5 in explicit_dag.cu.
// [fork_join]
cudaGraph_t fork_join(const Summary& s, const Lanes& lanes) {
    int blocks = kit::ceil_div(s.n, kBlock);
    cudaGraph_t graph = nullptr;

    // TODO(1): Begin the capture in lanes.main, launch prepare_values there, and fork: let both side streams
    // wait for an event that you record after it. About 4 lines.
    // BEGIN SOLUTION 1
    CUDA_CHECK(cudaStreamBeginCapture(lanes.main, cudaStreamCaptureModeThreadLocal));
    prepare_values<<<blocks, kBlock, 0, lanes.main>>>(s.in, s.work, s.n);
    CUDA_CHECK(cudaEventRecord(lanes.fork, lanes.main));
    for (cudaStream_t side : lanes.side) CUDA_CHECK(cudaStreamWaitEvent(side, lanes.fork, 0));
    // STARTER KIT_TODO(1, s, lanes, blocks);
    // END SOLUTION 1

    // TODO(2): Launch one reduction in each of the three streams. 3 lines.
    // BEGIN SOLUTION 2
    find_smallest<<<1, kBlock, 0, lanes.main>>>(s.work, s.n, s.smallest);
    find_largest<<<1, kBlock, 0, lanes.side[0]>>>(s.work, s.n, s.largest);
    find_total<<<1, kBlock, 0, lanes.side[1]>>>(s.work, s.n, s.total);
    // STARTER KIT_TODO(2, s, lanes);
    // END SOLUTION 2

    // TODO(3): Join: let lanes.main wait for an event of each side stream. Then launch combine, and end the
    // capture. About 6 lines.
    // BEGIN SOLUTION 3
    for (int i = 0; i < 2; ++i) {
        CUDA_CHECK(cudaEventRecord(lanes.done[i], lanes.side[i]));
        CUDA_CHECK(cudaStreamWaitEvent(lanes.main, lanes.done[i], 0));
    }
    combine<<<blocks, kBlock, 0, lanes.main>>>(s.work, s.n, s.smallest, s.largest, s.total, s.out);
    CUDA_CHECK(cudaStreamEndCapture(lanes.main, &graph));
    // STARTER KIT_TODO(3, s, lanes);
    // END SOLUTION 3

    CUDA_CHECK_LAUNCH();  // none of the launches has failed
    return graph;
}
// [/fork_join]

}  // namespace graphs

// wrong: joins behind the kernel that needs the branches
// diagnosis: combine must wait for all branches
// diagnosis.cpu: race

#include <climits>

#include "14_graphs/14_graphs.hpp"
#include "14_graphs/count_calls.hpp"  // the grader counts this file's captures, instances and launches
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

/// One block reduces everything: one of 132 multiprocessors is busy, so that others may run beside it.
template <class T, class Operation>
__device__ void reduce_in_one_block(const int* values, int n, T identity, Operation operation, T* out) {
    __shared__ T tile[kBlock];
    int t = threadIdx.x;
    T value = identity;
    for (int i = t; i < n; i += kBlock) value = operation(value, values[i]);
    tile[t] = value;
    for (int stride = kBlock / 2; stride > 0; stride /= 2) {
        __syncthreads();  // other threads wrote, in the step before, what this step reads
        if (t < stride) tile[t] = operation(tile[t], tile[t + stride]);
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

cudaGraph_t chain(const Summary& s, const Lanes& lanes) {
    int blocks = kit::ceil_div(s.n, kBlock);
    cudaGraph_t graph = nullptr;
    CUDA_CHECK(cudaStreamBeginCapture(lanes.main, cudaStreamCaptureModeThreadLocal));
    prepare_values<<<blocks, kBlock, 0, lanes.main>>>(s.in, s.work, s.n);
    find_smallest<<<1, kBlock, 0, lanes.main>>>(s.work, s.n, s.smallest);
    find_largest<<<1, kBlock, 0, lanes.main>>>(s.work, s.n, s.largest);
    find_total<<<1, kBlock, 0, lanes.main>>>(s.work, s.n, s.total);
    combine<<<blocks, kBlock, 0, lanes.main>>>(s.work, s.n, s.smallest, s.largest, s.total, s.out);
    CUDA_CHECK(cudaStreamEndCapture(lanes.main, &graph));
    return graph;
}

cudaGraph_t fork_join(const Summary& s, const Lanes& lanes) {
    int blocks = kit::ceil_div(s.n, kBlock);
    cudaGraph_t graph = nullptr;

    CUDA_CHECK(cudaStreamBeginCapture(lanes.main, cudaStreamCaptureModeThreadLocal));
    prepare_values<<<blocks, kBlock, 0, lanes.main>>>(s.in, s.work, s.n);
    CUDA_CHECK(cudaEventRecord(lanes.fork, lanes.main));
    for (cudaStream_t side : lanes.side) CUDA_CHECK(cudaStreamWaitEvent(side, lanes.fork, 0));

    find_smallest<<<1, kBlock, 0, lanes.main>>>(s.work, s.n, s.smallest);
    find_largest<<<1, kBlock, 0, lanes.side[0]>>>(s.work, s.n, s.largest);
    find_total<<<1, kBlock, 0, lanes.side[1]>>>(s.work, s.n, s.total);

    combine<<<blocks, kBlock, 0, lanes.main>>>(s.work, s.n, s.smallest, s.largest, s.total, s.out);
    for (int i = 0; i < 2; ++i) {
        CUDA_CHECK(cudaEventRecord(lanes.done[i], lanes.side[i]));
        CUDA_CHECK(cudaStreamWaitEvent(lanes.main, lanes.done[i], 0));
    }
    CUDA_CHECK(cudaStreamEndCapture(lanes.main, &graph));

    return graph;
}

}  // namespace graphs

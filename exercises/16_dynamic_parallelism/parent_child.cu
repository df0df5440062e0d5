// 16_dynamic_parallelism/parent_child: two children, and a tail launch that needs their results.
//
// Build: nvcc -std=c++17 -rdc=true -I../../common -I../../tests parent_child.cu
//        ../../tests/16_dynamic_parallelism/parent_child_test.cu -o parent_child
// Run:   ./parent_child
//
//   v1  parent_v1: finds the smallest value; its children subtract it, and its tail launch sums the results

#include <climits>

#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"
#include "kit.cuh"

namespace nested {

/// A child kernel: computes out[i] = in[i] - *least.
__global__ void subtract(const int* in, int n, const int* least, int* out) {
    int i = blockIdx.x * kBlock + threadIdx.x;
    if (i < n) out[i] = in[i] - *least;
}

/// Sums n values with one block.
__global__ void sum_values(const int* values, int n, long long* total) {
    __shared__ long long sums[kBlock];
    int t = threadIdx.x;
    long long sum = 0;
    for (int i = t; i < n; i += kBlock) sum += values[i];
    sums[t] = sum;
    for (int stride = kBlock / 2; stride > 0; stride /= 2) {
        __syncthreads();  // this step reads sums that other threads wrote in the previous step
        if (t < stride) sums[t] += sums[t + stride];
    }
    if (t == 0) *total = sums[0];
}

/// Returns the smallest of n values to all threads of one block, or INT_MAX if n is 0.
__device__ int least_of(const int* in, int n) {
    __shared__ int least[kBlock];
    int t = threadIdx.x;
    int mine = INT_MAX;
    for (int i = t; i < n; i += kBlock) mine = min(mine, in[i]);
    least[t] = mine;
    for (int stride = kBlock / 2; stride > 0; stride /= 2) {
        __syncthreads();  // this step reads values that other threads wrote in the previous step
        if (t < stride) least[t] = min(least[t], least[t + stride]);
    }
    __syncthreads();  // thread 0 writes the result before all threads read it
    return least[0];
}

/// Stops the kernel if its last launch was refused, because the work of that child would be missing.
// [launched]
__device__ void expect_launched() {
    if (cudaGetLastError() != cudaSuccess) __trap();
}
// [/launched]

// v1: the parent is one block, and one of its threads launches.
// Mapping : the parent: one thread per kBlock-th value. The children: one thread per value.
// Cost    : four launches, one of them by the host; no thread waits for a child.
// Requires: -rdc=true. The thread that launches has written the data that the children read.
// Next    : children that launch children; see quicksort.cu.
// [v1]
__global__ void parent_v1(const int* in, int n, int* out, int* least, long long* total) {
    int smallest = least_of(in, n);
    if (threadIdx.x != 0) return;

    // TODO(1): Store the smallest value where the children can read it; `smallest` is a local variable. 1 line.
    KIT_TODO(1, least, smallest);

    // TODO(2): Launch `subtract` for the first n / 2 values and again for all others, with kBlock threads per block. The two
    // do not depend on each other, so use cudaStreamFireAndForget. Do not launch a child for a half without values, because
    // a grid without blocks is refused. Call expect_launched() after each launch. About 11 lines.
    KIT_TODO(2, in, n, out, least);

    // TODO(3): Launch `sum_values` for all of out, so that it runs after both children, even if n is 0. 2 lines.
    KIT_TODO(3, total);
}
// [/v1]

void parent_child(const int* in, int n, int* out, int* least, long long* total) {
    parent_v1<<<1, kBlock>>>(in, n, out, least, total);
    CUDA_CHECK_LAUNCH();
}

}  // namespace nested

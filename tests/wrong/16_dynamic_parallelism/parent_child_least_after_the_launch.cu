// wrong: The least value is written after the children have been launched, so they may read what was there before.
// diagnosis: race on byte 0 of `least`
// diagnosis: before the launch
// backends: cpu (on a GPU the store may come in time)
// sanitizer.all: compute-sanitizer does not follow kernels that kernels launch

#include <climits>

#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"
#include "kit.cuh"

namespace nested {

__global__ void subtract(const int* in, int n, const int* least, int* out) {
    int i = blockIdx.x * kBlock + threadIdx.x;
    if (i < n) out[i] = in[i] - *least;
}

__global__ void sum_values(const int* values, int n, long long* total) {
    __shared__ long long sums[kBlock];
    int t = threadIdx.x;
    long long sum = 0;
    for (int i = t; i < n; i += kBlock) sum += values[i];
    sums[t] = sum;
    for (int stride = kBlock / 2; stride > 0; stride /= 2) {
        __syncthreads();  // other threads wrote, in the step before, what this step reads
        if (t < stride) sums[t] += sums[t + stride];
    }
    if (t == 0) *total = sums[0];
}

__device__ int least_of(const int* in, int n) {
    __shared__ int least[kBlock];
    int t = threadIdx.x;
    int mine = INT_MAX;
    for (int i = t; i < n; i += kBlock) mine = min(mine, in[i]);
    least[t] = mine;
    for (int stride = kBlock / 2; stride > 0; stride /= 2) {
        __syncthreads();  // other threads wrote, in the step before, what this step reads
        if (t < stride) least[t] = min(least[t], least[t + stride]);
    }
    __syncthreads();  // thread 0 wrote the result
    return least[0];
}

__device__ void expect_launched() {
    if (cudaGetLastError() != cudaSuccess) __trap();
}

__global__ void parent_v1(const int* in, int n, int* out, int* least, long long* total) {
    int smallest = least_of(in, n);
    if (threadIdx.x != 0) return;

    int half = n / 2;
    int rest = n - half;
    if (half > 0) {
        subtract<<<kit::ceil_div(half, kBlock), kBlock, 0, cudaStreamFireAndForget>>>(in, half, least, out);
        expect_launched();
    }
    if (rest > 0) {
        subtract<<<kit::ceil_div(rest, kBlock), kBlock, 0, cudaStreamFireAndForget>>>(in + half, rest, least,
                                                                                      out + half);
        expect_launched();
    }

    *least = smallest;
    sum_values<<<1, kBlock, 0, cudaStreamTailLaunch>>>(out, n, total);
    expect_launched();
}

void parent_child(const int* in, int n, int* out, int* least, long long* total) {
    parent_v1<<<1, kBlock>>>(in, n, out, least, total);
    CUDA_CHECK_LAUNCH();
}

}  // namespace nested

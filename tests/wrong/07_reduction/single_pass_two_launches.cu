// wrong: The partial sums are added by a second kernel.
// diagnosis: 2 kernels were launched, and one is allowed
// backends: cpu (a GPU does not tell how many kernels were launched)
// sanitizer.all: the numbers are right: only the executor counts launches

#include <algorithm>

#include "07_reduction/07_reduction.hpp"
#include "kit.cuh"

namespace reduction {

__device__ double warp_sum(double value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
    return value;
}

__device__ double block_sum(double value) {
    static_assert(kBlock % 32 == 0 && kBlock <= 1024,
                  "whole warps, and one value per warp fits into one warp");
    __shared__ double warp_sums[kBlock / 32];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    value = warp_sum(value);
    if (lane == 0) warp_sums[warp] = value;
    __syncthreads();  // the first warp reads what all warps wrote
    if (warp == 0) value = warp_sum(lane < kBlock / 32 ? warp_sums[lane] : 0.0);
    return value;
}

__device__ double thread_sum(const float* in, int n) {
    double sum = 0;
    for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock) sum += in[i];
    return sum;
}

int blocks_for(int n) {
    return std::clamp(kit::ceil_div(n, kTile), 1, kMaxBlocks);
}

__global__ void single_pass_v6_atomic(const float* in, int n, double* out) {
    double sum = block_sum(thread_sum(in, n));
    if (threadIdx.x == 0) atomicAdd(out, sum);
}

void atomic_per_block(const float* in, int n, double* out) {
    CUDA_CHECK(cudaMemsetAsync(out, 0, sizeof(double)));
    single_pass_v6_atomic<<<blocks_for(n), kBlock>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}

__global__ void sum_of_partials(double* out, int blocks, Workspace workspace) {
    double sum = 0;
    for (int b = threadIdx.x; b < blocks; b += kBlock) sum += workspace.partials[b];
    sum = block_sum(sum);
    if (threadIdx.x == 0) *out = sum;
}

__global__ void block_sums(const float* in, int n, Workspace workspace) {
    double sum = block_sum(thread_sum(in, n));
    if (threadIdx.x == 0) workspace.partials[blockIdx.x] = sum;
}

void single_pass(const float* in, int n, double* out, Workspace workspace) {
    block_sums<<<blocks_for(n), kBlock>>>(in, n, workspace);
    CUDA_CHECK_LAUNCH();
    sum_of_partials<<<1, kBlock>>>(out, blocks_for(n), workspace);
    CUDA_CHECK_LAUNCH();
}

}  // namespace reduction

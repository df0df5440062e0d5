// wrong: The other threads of the block read is_last before thread 0 has set it.
// diagnosis: race on
// diagnosis: is_last
// backends: cpu (on a GPU the warps may happen to run in step, and the sums come out right)

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

__global__ void single_pass_v7_last_block(const float* in, int n, double* out, Workspace workspace) {
    __shared__ bool is_last;
    double sum = block_sum(thread_sum(in, n));

    if (threadIdx.x == 0) {
        workspace.partials[blockIdx.x] = sum;
        __threadfence();  // release: the sum is visible to all blocks before the ticket is drawn
        unsigned int blocks_before = atomicAdd(workspace.ticket, 1u);
        __threadfence();  // acquire: what is read below is not older than the tickets of the other blocks
        is_last = blocks_before == gridDim.x - 1;
    }

    if (!is_last) return;

    sum = 0;
    for (int b = threadIdx.x; b < static_cast<int>(gridDim.x); b += kBlock) sum += workspace.partials[b];
    sum = block_sum(sum);
    if (threadIdx.x == 0) *out = sum;

    if (threadIdx.x == 0) *workspace.ticket = 0;
}

void single_pass(const float* in, int n, double* out, Workspace workspace) {
    single_pass_v7_last_block<<<blocks_for(n), kBlock>>>(in, n, out, workspace);
    CUDA_CHECK_LAUNCH();
}

}  // namespace reduction

// wrong: each call allocates memory that is never freed
// diagnosis: rule: left_allocated
// backends: cpu   the leak is seen by the executor
#include "attacks.hpp"
#include "kit.cuh"

namespace {

__global__ void twice_kernel(const float* in, int n, float* out, int* blocks) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) atomicAdd(blocks, 1);
    if (i < n) out[i] = 2 * in[i];
}

}  // namespace

void attack::twice(const float* in, int n, float* out) {
    int* blocks = nullptr;
    CUDA_CHECK(cudaMalloc(&blocks, sizeof(int)));
    CUDA_CHECK(cudaMemset(blocks, 0, sizeof(int)));
    twice_kernel<<<n / 256 + 1, 256>>>(in, n, out, blocks);
    CUDA_CHECK_LAUNCH();
}

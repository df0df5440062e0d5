// expect: right
#include "00_first_kernel/00_first_kernel.hpp"
#include "00_first_kernel/watch_memory.hpp"
#include "kit.cuh"

template <class T, class Operation>
__global__ void zip(const T* __restrict__ x, const T* __restrict__ y, T* __restrict__ z, unsigned n, Operation f) {
    if (const unsigned i = blockDim.x * blockIdx.x + threadIdx.x; i < n) z[i] = f(x[i], y[i]);
}

struct Plus {
    __device__ float operator()(float x, float y) const { return x + y; }
};

void first_kernel::vector_add(const float* a, const float* b, float* c, int n) {
    if (n <= 0) return;
    float* all = nullptr;
    CUDA_CHECK(cudaMalloc(&all, 3 * sizeof(float) * n));
    CUDA_CHECK(cudaMemcpy(all, a, sizeof(float) * n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(all + n, b, sizeof(float) * n, cudaMemcpyHostToDevice));
    zip<<<n / 64 + 1, 64>>>(all, all + n, all + 2 * n, unsigned(n), Plus{});
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(c, all + 2 * n, sizeof(float) * n, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(all));
}

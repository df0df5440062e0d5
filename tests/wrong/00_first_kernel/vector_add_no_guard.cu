// wrong: no guard: the threads of the last block that have no element write past the end
// diagnosis.cpu: out of bounds, right after the end of `array
// diagnosis.gpu: out of bounds: the kernel wrote after the end
// diagnosis: Task 1

#include "00_first_kernel/00_first_kernel.hpp"
#include "00_first_kernel/watch_memory.hpp"  // the grader looks after the memory that you allocate
#include "kit.cuh"

namespace {

constexpr int block_size = 256;

// v1: each thread adds one pair of elements.
// Mapping : one thread per element, blocks of 256.
// Cost    : 2 global reads and 1 global write per element.
// Requires: nothing; the last block may have threads without an element.
__global__ void add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    (void)n;
    c[i] = a[i] + b[i];
}

}  // namespace

void first_kernel::vector_add(const float* a, const float* b, float* c, int n) {
    if (n == 0) {
        return;  // a grid of zero blocks cannot be launched
    }
    std::size_t bytes = n * sizeof(float);
    float* device_a = nullptr;
    float* device_b = nullptr;
    float* device_c = nullptr;

    CUDA_CHECK(cudaMalloc(&device_a, bytes));
    CUDA_CHECK(cudaMalloc(&device_b, bytes));
    CUDA_CHECK(cudaMalloc(&device_c, bytes));
    CUDA_CHECK(cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice));

    int blocks = (n + block_size - 1) / block_size;
    add<<<blocks, block_size>>>(device_a, device_b, device_c, n);
    CUDA_CHECK_LAUNCH();

    CUDA_CHECK(cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
    CUDA_CHECK(cudaFree(device_c));
}

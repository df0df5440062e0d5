// Frees one of its two allocations. With KIT_LEAKS=1, the executor must report the other allocation and its line.
#include <cuda_runtime.h>

int main() {
    float *kept = nullptr, *freed = nullptr;
    cudaMalloc(&kept, 4096);
    cudaMalloc(&freed, 64);
    return cudaFree(freed) == cudaSuccess ? 0 : 1;
}

// y = a * x + y, a whole program: memory, copies, a launch, and the check of the result.
//
// Build: nvcc -std=c++17 -I../../common saxpy.cu -o saxpy
// Run:   ./saxpy

#include <cstdio>
#include <vector>

#include "kit.cuh"

// Mapping : one thread per element; the last block may have threads without one.
__global__ void saxpy(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

int main() {
    const int n = 1000;
    const int threads = 256;
    const std::vector<float> x(n, 3.0f), y(n, 1.0f);
    float *device_x, *device_y;
    CUDA_CHECK(cudaMalloc(&device_x, n * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&device_y, n * sizeof(float)));
    CUDA_CHECK(cudaMemcpy(device_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(device_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice));

    saxpy<<<(n + threads - 1) / threads, threads>>>(n, 2.0f, device_x, device_y);
    CUDA_CHECK_LAUNCH();

    std::vector<float> result(n);
    CUDA_CHECK(cudaMemcpy(result.data(), device_y, n * sizeof(float), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_x));
    CUDA_CHECK(cudaFree(device_y));

    int wrong = 0;
    for (float value : result) wrong += value != 7.0f;
    std::printf("saxpy: %d of %d elements are wrong\n", wrong, n);
    return wrong != 0;
}

// expect: wrong; task 4; cause: wait | synchron | not complete | still
// TOP
#include <vector>
// REGION 4
    static float* staging = nullptr;
    if (!staging) CUDA_CHECK(cudaMallocHost(&staging, 1 << 20));
    CUDA_CHECK(cudaMemcpyAsync(staging, device_c, bytes, cudaMemcpyDeviceToHost, cudaStreamPerThread));
    for (int i = 0; i < n; ++i) c[i] = staging[i];
    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
    CUDA_CHECK(cudaFree(device_c));

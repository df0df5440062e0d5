// expect: right
// REGION 2
    CUDA_CHECK(cudaMallocAsync(&device_a, bytes, nullptr));
    CUDA_CHECK(cudaMallocAsync(&device_b, bytes, nullptr));
    CUDA_CHECK(cudaMallocAsync(&device_c, bytes, nullptr));
    CUDA_CHECK(cudaMemcpyAsync(device_a, a, bytes, cudaMemcpyDefault, nullptr));
    CUDA_CHECK(cudaMemcpyAsync(device_b, b, bytes, cudaMemcpyDefault, nullptr));
// REGION 3
    int blocks = n / block_size + (n % block_size != 0);
// REGION 4
    CUDA_CHECK(cudaMemcpyAsync(c, device_c, bytes, cudaMemcpyDefault, nullptr));
    CUDA_CHECK(cudaFreeAsync(device_a, nullptr));
    CUDA_CHECK(cudaFreeAsync(device_b, nullptr));
    CUDA_CHECK(cudaFreeAsync(device_c, nullptr));
    CUDA_CHECK(cudaStreamSynchronize(nullptr));

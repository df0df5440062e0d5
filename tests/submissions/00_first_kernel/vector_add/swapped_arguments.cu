// expect: wrong; task 2; cause: reads `device_a[
// REGION 2
    CUDA_CHECK(cudaMalloc(&device_a, bytes));
    CUDA_CHECK(cudaMalloc(&device_b, bytes));
    CUDA_CHECK(cudaMalloc(&device_c, bytes));
    CUDA_CHECK(cudaMemcpy(const_cast<float*>(a), device_a, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(const_cast<float*>(b), device_b, bytes, cudaMemcpyDeviceToHost));

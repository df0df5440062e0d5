// expect: wrong; task 2; cause: out of bounds | cudaErrorInvalidValue
// REGION 2
    CUDA_CHECK(cudaMalloc(&device_a, n));
    CUDA_CHECK(cudaMalloc(&device_b, n));
    CUDA_CHECK(cudaMalloc(&device_c, n));
    CUDA_CHECK(cudaMemcpy(device_a, a, n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(device_b, b, n, cudaMemcpyHostToDevice));

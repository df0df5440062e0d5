// expect: right
// REGION 2
    CUDA_CHECK(cudaMallocManaged(&device_a, bytes));
    CUDA_CHECK(cudaMallocManaged(&device_b, bytes));
    CUDA_CHECK(cudaMallocManaged(&device_c, bytes));
    for (int i = 0; i < n; ++i) device_a[i] = a[i], device_b[i] = b[i];
// REGION 4
    CUDA_CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) c[i] = device_c[i];
    for (float* vector : {device_a, device_b, device_c}) CUDA_CHECK(cudaFree(vector));

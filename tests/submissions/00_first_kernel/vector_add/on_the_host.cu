// expect: wrong; task 1; cause: on the host | no kernel | the kernel
// REGION 1
    (void)a, (void)b, (void)c, (void)n;
// REGION 4
    for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
    CUDA_CHECK(cudaFree(device_c));

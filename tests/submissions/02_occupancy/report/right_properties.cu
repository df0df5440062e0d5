// expect: right
// REGION 2
    cudaDeviceProp all{};
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaGetDeviceProperties(&all, device));
    threads = all.maxThreadsPerMultiProcessor;
    r.maximum_warps = threads / all.warpSize;

// expect: wrong; task 2; cause: maximum_warps
// REGION 2
    cudaDeviceProp all;
    CUDA_CHECK(cudaGetDeviceProperties(&all, device));
    threads = all.maxThreadsPerBlock;
    r.maximum_warps = threads / all.warpSize;

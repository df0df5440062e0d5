// expect: right
// REGION 2
    cudaDeviceProp all;
    CUDA_CHECK(cudaGetDeviceProperties(&all, device));
    bytes = static_cast<int>(all.sharedMemPerBlockOptin);

// expect: wrong; task 2; cause: longest_row is
// REGION 2
    cudaDeviceProp all;
    CUDA_CHECK(cudaGetDeviceProperties(&all, device));
    bytes = static_cast<int>(all.sharedMemPerBlock);

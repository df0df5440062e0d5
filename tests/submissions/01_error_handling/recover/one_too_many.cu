// expect: wrong; task 3; cause: finished jobs
// REGION 3
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorName(error));
        return {Ending::lost, i + 1};
    }

// expect: wrong; task 3; cause: reported
// REGION 3
    if (cudaError_t error = cudaStreamSynchronize(nullptr); error != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorName(error));
        continue;
    }

// expect: wrong; task 1; cause: returned cudaSuccess
// REGION 1
    const cudaError_t error = cudaGetLastError();
    (void)cudaDeviceSynchronize();
    return error;

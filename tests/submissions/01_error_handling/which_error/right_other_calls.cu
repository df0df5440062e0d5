// expect: right
// REGION 1
    const cudaError_t launched = cudaGetLastError();
    return launched != cudaSuccess ? launched : cudaStreamSynchronize(cudaStreamLegacy);
// REGION 3
    const cudaError_t error = cudaMalloc(&memory, bytes);
    cudaFree(memory);
    while (cudaGetLastError() != cudaSuccess) {
    }
    return error;
// REGION 4
    const cudaError_t error = cudaPeekAtLastError();
    (void)cudaGetLastError();
    return error;

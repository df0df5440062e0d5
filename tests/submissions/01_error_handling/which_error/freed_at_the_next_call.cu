// expect: wrong; task 3; cause: does not free
// REGION 3
    static void* before = nullptr;
    cudaFree(before);
    before = nullptr;
    cudaError_t error = cudaMalloc(&memory, bytes);
    (void)cudaGetLastError();
    if (error == cudaSuccess) before = memory;
    return error;

// expect: wrong; task 2; cause: waited
// REGION 2
    cudaError_t state = cudaErrorNotReady;
    while (state == cudaErrorNotReady) state = cudaStreamQuery(nullptr);
    return state;

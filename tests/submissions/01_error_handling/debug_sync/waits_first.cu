// expect: wrong; task 2|1; variant KIT_DEBUG_SYNC; cause: once each is enough
// REGION 1
#ifdef KIT_DEBUG_SYNC
    cudaError_t ran = cudaDeviceSynchronize();
    if (ran != cudaSuccess) return ran;
#endif
// REGION 2
    return cudaGetLastError();

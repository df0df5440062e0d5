// expect: wrong; task 2; variant KIT_DEBUG_SYNC; cause: the debug build must see
// REGION 2
#ifdef KIT_DEBUG_SYNC
    cudaDeviceSynchronize();
#endif
    return cudaSuccess;

// expect: right; variant KIT_DEBUG_SYNC
// REGION 2
    cudaError_t done = cudaSuccess;
#if defined(KIT_DEBUG_SYNC)
    cudaEvent_t event = nullptr;
    done = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    if (done == cudaSuccess) done = cudaEventRecord(event, nullptr);
    if (done == cudaSuccess) done = cudaEventSynchronize(event);
    if (event) cudaEventDestroy(event);
#endif
    return done;

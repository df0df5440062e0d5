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
// REGION 2
    *before = cudaPeekAtLastError();
    (void)cudaGetLastError();
    do_nothing<<<1, threads>>>();
    const cudaError_t error = cudaPeekAtLastError();
    (void)cudaGetLastError();
    return error;
// REGION 4
    if (cudaError_t launched = cudaGetLastError()) return {launched, Stage::launch};
    if (cudaError_t ran = cudaStreamSynchronize(0)) return {ran, Stage::kernel};
    const cudaError_t copied = result == nullptr ? cudaErrorInvalidValue
                                                 : cudaMemcpyAsync(result, where, sizeof *result, cudaMemcpyDefault);
    (void)cudaStreamSynchronize(0);
    (void)cudaGetLastError();
    return {copied, copied != cudaSuccess ? Stage::copy : Stage::none};
// REGION 5
    int most = 0;
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    const cudaError_t error = cudaFuncSetAttribute(do_nothing, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                   bytes > std::size_t(most) ? int(bytes) : most);
    if (error == cudaSuccess) do_nothing<<<1, 32, bytes>>>();
    const cudaError_t launched = cudaGetLastError();
    return error != cudaSuccess ? error : launched;

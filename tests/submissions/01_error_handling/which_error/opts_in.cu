// expect: wrong; task 5; cause: launch_shared(
#include "01_error_handling/01_error_handling.hpp"
#include "kit.cuh"

__global__ void store_value(int* where, int value) {
    if (threadIdx.x == 0) *where = value;
}
__global__ void do_nothing() {}

cudaError_t error_handling::store(int* where, int value) {
    store_value<<<1, 1>>>(where, value);
    return cudaDeviceSynchronize();
}
cudaError_t error_handling::launch_threads(int threads, cudaError_t* before) {
    *before = cudaGetLastError();
    do_nothing<<<1, threads>>>();
    return cudaGetLastError();
}
cudaError_t error_handling::allocate(std::size_t bytes) {
    void* memory = nullptr;
    cudaError_t error = cudaMalloc(&memory, bytes);
    cudaGetLastError();
    if (error == cudaSuccess) error = cudaFree(memory);
    return error;
}
error_handling::Outcome error_handling::store_and_fetch(int* where, int value, int threads, int* result) {
    store_value<<<1, threads>>>(where, value);
    if (cudaError_t e = cudaGetLastError()) return {e, Stage::launch};
    if (cudaError_t e = cudaDeviceSynchronize()) return {e, Stage::kernel};
    cudaError_t e = cudaMemcpy(result, where, sizeof(int), cudaMemcpyDeviceToHost);
    cudaGetLastError();
    return {e, e ? Stage::copy : Stage::none};
}
cudaError_t error_handling::launch_shared(std::size_t bytes) {
    if (bytes > 48 << 10)
        cudaFuncSetAttribute(do_nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 96 << 10);
    cudaGetLastError();
    do_nothing<<<1, 32, bytes>>>();
    return cudaGetLastError();
}

// expect: wrong; task 5; cause: launch_shared(49156) returned cudaSuccess
#include "01_error_handling/01_error_handling.hpp"
#include "kit.cuh"

__global__ void store_value(int* where, int value) { *where = value; }
__global__ void do_nothing() {}

cudaError_t error_handling::store(int* where, int value) {
    store_value<<<1, 1>>>(where, value);
    return cudaDeviceSynchronize();
}
cudaError_t error_handling::launch_threads(int threads) {
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
cudaError_t error_handling::launch_blocks(int blocks) {
    do_nothing<<<blocks, 32>>>();
    return cudaGetLastError();
}
cudaError_t error_handling::launch_shared(std::size_t bytes) {
    cudaFuncSetAttribute(do_nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
    cudaGetLastError();
    do_nothing<<<1, 32, bytes>>>();
    return cudaGetLastError();
}

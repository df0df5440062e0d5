// wrong: cudaPeekAtLastError leaves the error where it is
// diagnosis: left cudaErrorInvalid

#include "01_error_handling/01_error_handling.hpp"
#include "kit.cuh"

namespace {

__global__ void store_value(int* where, int value) {
    *where = value;
}

__global__ void do_nothing() {}

}  // namespace

// v1: an execution error is known when the kernel has run.
cudaError_t error_handling::store(int* where, int value) {
    store_value<<<1, 1>>>(where, value);
    return cudaDeviceSynchronize();
}

// v2: a launch error is known at once, but not from the launch.
cudaError_t error_handling::launch_threads(int threads) {
    do_nothing<<<1, threads>>>();
    return cudaPeekAtLastError();
}

// v3: a returned error is known twice: it is returned, and it is remembered.
cudaError_t error_handling::allocate(std::size_t bytes) {
    void* memory = nullptr;
    cudaError_t error = cudaMalloc(&memory, bytes);
    if (error != cudaSuccess) {
        (void)cudaGetLastError();
        return error;
    }
    return cudaFree(memory);
}

// v4: like v2; nothing to do is an error too.
cudaError_t error_handling::launch_blocks(int blocks) {
    do_nothing<<<blocks, 32>>>();
    return cudaPeekAtLastError();
}

// v5: like v2, with another code.
cudaError_t error_handling::launch_shared(std::size_t bytes) {
    do_nothing<<<1, 32, bytes>>>();
    return cudaPeekAtLastError();
}

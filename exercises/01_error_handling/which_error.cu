// 01_error_handling/which_error: where five errors are reported, and which call caused each.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests which_error.cu
//        ../../tests/01_error_handling/which_error_test.cu -o which_error
// Run:   ./which_error
//
//   v1  store            an execution error: only synchronizing reports it
//   v2  launch_threads   a launch error, and an older error that this launch did not cause
//   v3  allocate         a returned error: the call itself returns it, and cudaGetLastError repeats it
//   v4  store_and_fetch  three stages that can fail, and which of them did
//   v5  launch_shared    a launch that must first request more shared memory; the request can fail

#include "01_error_handling/01_error_handling.hpp"
#include "kit.cuh"

namespace {

__global__ void store_value(int* where, int value) {
    if (threadIdx.x == 0) *where = value;
}

__global__ void do_nothing() {}

}  // namespace

// v1: an execution error is known only after the kernel has run.
// [store]
cudaError_t error_handling::store(int* where, int value) {
    store_value<<<1, 1>>>(where, value);
    // TODO(1): The launch itself succeeds, whatever `where` is. Wait until the kernel has run, and return the
    // error that the wait reports. 1 line.
    KIT_TODO(1);
    return cudaSuccess;
}
// [/store]

// v2: a launch error is known immediately, but the launch does not return it.
// [launch_threads]
cudaError_t error_handling::launch_threads(int threads, cudaError_t* before) {
    // TODO(2): Launch do_nothing with one block of `threads` threads, and return the error of this launch. If an error was
    // already waiting when the function was called, an earlier call caused it: put it into *before. 3 lines.
    *before = cudaSuccess;
    do_nothing<<<1, threads>>>();
    KIT_TODO(2);
    return cudaSuccess;
}
// [/launch_threads]

// v3: a returned error is known twice: the call returns it, and the runtime remembers it.
// [allocate]
cudaError_t error_handling::allocate(std::size_t bytes) {
    void* memory = nullptr;
    // TODO(3): Allocate, and keep the code that the call returns. If it failed, the runtime also remembers the error,
    // so clear it. If it succeeded, free the memory. Return the code. About 6 lines.
    KIT_TODO(3, memory, bytes);
    return cudaSuccess;
}
// [/allocate]

// v4: a function that checks only at the end learns that something failed, but blames the wrong stage.
// [store_and_fetch]
error_handling::Outcome error_handling::store_and_fetch(int* where, int value, int threads, int* result) {
    store_value<<<1, threads>>>(where, value);
    // TODO(4): Copy the value at `where` to `result` with cudaMemcpy. Return the code of the first of the three stages
    // that failed (launch, kernel, copy), and which one it was. After a failure, do nothing more. About 8 lines.
    KIT_TODO(4, result);
    return {cudaSuccess, Stage::none};
}
// [/store_and_fetch]

// v5: more than 48 KB must be requested, and the request can fail, too.
// [launch_shared]
cudaError_t error_handling::launch_shared(std::size_t bytes) {
    // TODO(5): Launch do_nothing with one block of 32 threads and `bytes` bytes of dynamic shared memory. Every size
    // that the device has must work, but above 48 KB a kernel needs permission (cudaFuncSetAttribute,
    // cudaFuncAttributeMaxDynamicSharedMemorySize). Return the code of the call that failed first. About 8 lines.
    do_nothing<<<1, 32, bytes>>>();
    KIT_TODO(5);
    return cudaSuccess;
}
// [/launch_shared]

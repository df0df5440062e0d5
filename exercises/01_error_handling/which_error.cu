// 01_error_handling/which_error: five things that can go wrong; return the code of each, from the right
// place.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests which_error.cu
//        ../../tests/01_error_handling/which_error_test.cu -o which_error
// Run:   ./which_error
//
//   v1  store            an execution error: only a synchronisation tells
//   v2  launch_threads   a launch error, and an older one that is not this launch's
//   v3  allocate         a returned error: the call itself tells, and cudaGetLastError repeats it
//   v4  store_and_fetch  three stages that may fail, and which of them did
//   v5  launch_shared    a launch that must ask for something first, and may be denied it

#include "01_error_handling/01_error_handling.hpp"
#include "kit.cuh"

namespace {

__global__ void store_value(int* where, int value) {
    if (threadIdx.x == 0) *where = value;
}

__global__ void do_nothing() {}

}  // namespace

// v1: an execution error is known when the kernel has run.
// [store]
cudaError_t error_handling::store(int* where, int value) {
    store_value<<<1, 1>>>(where, value);
    // TODO(1): The launch itself succeeds, whatever `where` is. Wait until the kernel has run, and return what
    // the waiting tells. 1 line.
    KIT_TODO(1);
    return cudaSuccess;
}
// [/store]

// v2: a launch error is known at once, but not from the launch.
// [launch_threads]
cudaError_t error_handling::launch_threads(int threads, cudaError_t* before) {
    // TODO(2): Launch do_nothing with one block of `threads` threads, and return the error of this launch. An error
    // that was waiting when the function was called belongs to somebody else: it goes to *before. 3 lines.
    *before = cudaSuccess;
    do_nothing<<<1, threads>>>();
    KIT_TODO(2);
    return cudaSuccess;
}
// [/launch_threads]

// v3: a returned error is known twice: it is returned, and it is remembered.
// [allocate]
cudaError_t error_handling::allocate(std::size_t bytes) {
    void* memory = nullptr;
    // TODO(3): Allocate and keep the code that the call returns. If it failed, the runtime remembers the error
    // too: clear it. If it succeeded, free the memory. Return the code. About 7 lines.
    KIT_TODO(3, memory, bytes);
    return cudaSuccess;
}
// [/allocate]

// v4: whoever looks only at the end learns that something failed, and blames the wrong stage.
// [store_and_fetch]
error_handling::Outcome error_handling::store_and_fetch(int* where, int value, int threads, int* result) {
    store_value<<<1, threads>>>(where, value);
    // TODO(4): Copy the value at `where` to `result` with cudaMemcpy. Return the code of the first of the three stages
    // that failed (launch, kernel, copy), and which one it was; after a failure nothing more is done. About 8 lines.
    KIT_TODO(4, result);
    return {cudaSuccess, Stage::none};
}
// [/store_and_fetch]

// v5: more than 48 KB must be asked for, and asking may fail, too.
// [launch_shared]
cudaError_t error_handling::launch_shared(std::size_t bytes) {
    // TODO(5): Launch do_nothing with one block of 32 threads and `bytes` bytes of dynamic shared memory. Every size
    // that the device has must work, and above 48 KB a kernel needs permission (cudaFuncSetAttribute,
    // cudaFuncAttributeMaxDynamicSharedMemorySize). Return the code of what failed first. About 7 lines.
    do_nothing<<<1, 32, bytes>>>();
    KIT_TODO(5);
    return cudaSuccess;
}
// [/launch_shared]

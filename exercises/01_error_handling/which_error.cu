// 01_error_handling/which_error: five things that can go wrong; return the code of each, from the right
// place.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests which_error.cu
//        ../../tests/01_error_handling/which_error_test.cu -o which_error
// Run:   ./which_error
//
//   v1  store           an execution error: only a synchronisation tells
//   v2  launch_threads  a launch error: only cudaGetLastError tells
//   v3  allocate        a returned error: the call itself tells, and cudaGetLastError repeats it
//   v4  launch_blocks   a launch error
//   v5  launch_shared   a launch error

#include "01_error_handling/01_error_handling.hpp"
#include "kit.cuh"

namespace {

__global__ void store_value(int* where, int value) {
    *where = value;
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
cudaError_t error_handling::launch_threads(int threads) {
    do_nothing<<<1, threads>>>();
    // TODO(2): A launch returns nothing. Ask for its error, in the way that also clears it. 1 line.
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

// v4: like v2; nothing to do is an error too.
cudaError_t error_handling::launch_blocks(int blocks) {
    do_nothing<<<blocks, 32>>>();
    // TODO(4): Which of the three places tells about an empty grid? 1 line.
    KIT_TODO(4);
    return cudaSuccess;
}

// v5: like v2, with another code.
cudaError_t error_handling::launch_shared(std::size_t bytes) {
    do_nothing<<<1, 32, bytes>>>();
    // TODO(5): And about too much shared memory? 1 line.
    KIT_TODO(5);
    return cudaSuccess;
}

// 01_error_handling/debug_sync: one check after every launch, which in a debug build also waits.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests debug_sync.cu
//        ../../tests/01_error_handling/debug_sync_test.cu -o debug_sync      (add -DKIT_DEBUG_SYNC)
// Run:   ./debug_sync
//
//   v1  after_launch: always checks for a launch error, and for an execution error only in debug builds

#include "01_error_handling/01_error_handling.hpp"
#include "01_error_handling/count_syncs.hpp"  // the grader counts how many times this file waits
#include "kit.cuh"

namespace {

__global__ void add_one(int* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        ++data[i];
    }
}

// v1: checks for a launch error first, and then, only in a debug build, for an execution error.
// [after_launch]
cudaError_t after_launch() {
    // TODO(1): Get the launch error and clear it. If there is one, return it. About 4 lines.
    // BEGIN SOLUTION 1
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        return error;
    }
    // STARTER KIT_TODO(1);
    // END SOLUTION 1

    // TODO(2): Only if KIT_DEBUG_SYNC is defined: wait for the kernel and return the error that the wait reports.
    // About 5 lines, three of them for the preprocessor.
    // BEGIN SOLUTION 2
#ifdef KIT_DEBUG_SYNC
    return cudaDeviceSynchronize();
#else
    return cudaSuccess;
#endif
    // STARTER KIT_TODO(2);
    // STARTER return cudaSuccess;
    // END SOLUTION 2
}
// [/after_launch]

}  // namespace

// The rest of the file is complete.

error_handling::Progress error_handling::pipeline(const Step* steps, int count) {
    for (int i = 0; i < count; ++i) {
        const Step& step = steps[i];
        int blocks = (step.n + step.block - 1) / step.block;
        add_one<<<blocks, step.block>>>(step.data, step.n);
        cudaError_t error = after_launch();
        if (error != cudaSuccess) {
            return {error, i};
        }
    }
    return {cudaSuccess, count};
}

bool error_handling::debug_build() {
#ifdef KIT_DEBUG_SYNC
    return true;
#else
    return false;
#endif
}

int error_handling::waits() {
    return counted_waits;
}

// wrong: the debug build does not wait either
// variant: KIT_DEBUG_SYNC
// diagnosis: the debug build waited only 0 times
// diagnosis: must see cudaErrorIllegalAddress at st

#include "01_error_handling/01_error_handling.hpp"
#include "01_error_handling/count_syncs.hpp"  // the grader counts how often this file waits
#include "kit.cuh"

namespace {

__global__ void add_one(int* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        ++data[i];
    }
}

// v1: first the launch error, then, in a debug build only, the execution error.
cudaError_t after_launch() {
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        return error;
    }

    return cudaSuccess;
}

}  // namespace

// From here on the file is complete.

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

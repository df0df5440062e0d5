// 01_error_handling/recover: a service that continues when it can and stops when it must.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests recover.cu
//        ../../tests/01_error_handling/recover_test.cu -o recover
// Run:   ./recover
//
//   v1  serve: repairs errors that are not sticky; reports a sticky error and stops

#include <cstdio>

#include "01_error_handling/01_error_handling.hpp"
#include "kit.cuh"

namespace {

constexpr int safe_block = 256;

__global__ void double_all(int* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        data[i] *= 2;
    }
}

void launch(const error_handling::Job& job, int block) {
    double_all<<<kit::ceil_div(job.n, block), block>>>(job.data, job.n);
}

// [scratch]
// Returns true if the job got its scratch memory; the caller then frees *scratch. False: the job must do without.
bool allocate_scratch(std::size_t bytes, void** scratch) {
    // TODO(1): Try to allocate. If that fails, clear the error, set *scratch to null, and return false.
    // About 6 lines.
    // BEGIN SOLUTION 1
    if (cudaMalloc(scratch, bytes) != cudaSuccess) {
        (void)cudaGetLastError();
        *scratch = nullptr;
        return false;
    }
    return true;
    // STARTER KIT_TODO(1, bytes);
    // STARTER *scratch = nullptr;
    // STARTER return false;
    // END SOLUTION 1
}
// [/scratch]

// [launch]
// Returns true if the job was launched as requested, false if it needed the safe block size.
bool launch_or_repair(const error_handling::Job& job) {
    launch(job, job.block);
    // TODO(2): If the launch failed, clear the error, launch again with safe_block, and return false.
    // About 5 lines.
    // BEGIN SOLUTION 2
    if (cudaGetLastError() != cudaSuccess) {
        launch(job, safe_block);
        return false;
    }
    return true;
    // STARTER KIT_TODO(2, safe_block);
    // STARTER return true;
    // END SOLUTION 2
}
// [/launch]

}  // namespace

// v1: one job after another, each repaired if possible.
// [serve]
error_handling::Report error_handling::serve(const Job* jobs, int count) {
    bool repaired = false;
    for (int i = 0; i < count; ++i) {
        void* scratch = nullptr;
        if (jobs[i].scratch > 0 && !allocate_scratch(jobs[i].scratch, &scratch)) {
            repaired = true;
        }
        if (!launch_or_repair(jobs[i])) {
            repaired = true;
        }

        // TODO(3): Wait for the job. If that fails, the context is lost: print one line with the name of the
        // error to stderr, and return how far the service got. About 5 lines.
        // BEGIN SOLUTION 3
        cudaError_t error = cudaDeviceSynchronize();
        if (error != cudaSuccess) {
            std::fprintf(stderr, "job %d of %d: %s, the device is lost\n", i, count, cudaGetErrorName(error));
            return {Ending::lost, i};
        }
        // STARTER KIT_TODO(3);
        // END SOLUTION 3

        CUDA_CHECK(cudaFree(scratch));
    }
    return {repaired ? Ending::repaired : Ending::done, count};
}
// [/serve]

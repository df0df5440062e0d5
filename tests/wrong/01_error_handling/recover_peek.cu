// wrong: cudaPeekAtLastError finds the launch error and leaves it
// diagnosis: left cudaErrorInvalid

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

// True if the job got its scratch memory; then *scratch is to be freed. False: it must do without.
bool allocate_scratch(std::size_t bytes, void** scratch) {
    if (cudaMalloc(scratch, bytes) != cudaSuccess) {
        (void)cudaGetLastError();
        *scratch = nullptr;
        return false;
    }
    return true;
}

// True if the job was launched as asked, false if it needed the safe block size.
bool launch_or_repair(const error_handling::Job& job) {
    launch(job, job.block);
    if (cudaPeekAtLastError() != cudaSuccess) {
        launch(job, safe_block);
        return false;
    }
    return true;
}

}  // namespace

// v1: one job after the other, each repaired if it can be.
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

        cudaError_t error = cudaDeviceSynchronize();
        if (error != cudaSuccess) {
            std::fprintf(stderr, "job %d of %d: %s, the device is lost\n", i, count, cudaGetErrorName(error));
            return {Ending::lost, i};
        }

        CUDA_CHECK(cudaFree(scratch));
    }
    return {repaired ? Ending::repaired : Ending::done, count};
}

// 22_unified_memory/first_touch: which processor touches a page first.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests first_touch.cu
//        ../../tests/22_unified_memory/first_touch_test.cu -o first_touch
// Run:   ./first_touch
//
//   v1  fill_v1, count_v1: a kernel touches each page first, and a second one reads it

#include "22_unified_memory/22_unified_memory.hpp"
#include "kit.cuh"

namespace unified_memory {

// [predict]
Moves predict(const std::vector<Touch>& touches, int pages) {
    enum Place { nowhere, on_host, on_device };
    std::vector<Place> place(static_cast<std::size_t>(pages), nowhere);
    Moves moves = {};
    for (const Touch& touch : touches) {
        Place here = touch.by == Processor::host ? on_host : on_device;
        for (int page = touch.first; page < touch.first + touch.pages; ++page) {
            Place& now = place[static_cast<std::size_t>(page)];
            // TODO(1): Count what happens to this page, and move it here. `now` is where it is. About 5 lines.
            KIT_TODO(1, now, here, moves, on_host, on_device);
        }
    }
    return moves;
}
// [/predict]

// v1: one kernel stores the samples, a second one counts.
// Mapping : one thread per sample.
// Cost    : each sample is written once and read once, in the memory of the device.
// Requires: *result is 0 when count_v1 starts.
// [v1]
__global__ void fill_v1(unsigned seed, int n, float* samples) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) samples[i] = sample(seed, i);
}

__global__ void count_v1(const float* samples, int n, float limit, int* result) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool below = i < n && samples[i] < limit;
    int of_block = __syncthreads_count(below);
    if (threadIdx.x == 0 && of_block > 0) atomicAdd(result, of_block);
}
// [/v1]

// [count]
int count_below(unsigned seed, int n, float limit) {
    float* samples = nullptr;
    int* result = nullptr;
    CUDA_CHECK(cudaMallocManaged(&samples, static_cast<std::size_t>(n) * sizeof(float)));
    CUDA_CHECK(cudaMallocManaged(&result, sizeof(int)));
    int blocks = kit::ceil_div(n, 256);

    // TODO(2): Fill the samples and set the result to 0, so that no page of the samples moves. Then count. About 5 lines.
    KIT_TODO(2, seed, samples, limit, blocks, fill_v1, count_v1);

    // TODO(3): Read the count when the kernels have ended. 2 lines.
    int count = 0;
    KIT_TODO(3, result);
    CUDA_CHECK(cudaFree(samples));
    CUDA_CHECK(cudaFree(result));
    return count;
}
// [/count]

}  // namespace unified_memory

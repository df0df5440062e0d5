// v7: a barrier of the grid in one word, as cooperative groups make theirs. On a GPU only.
#pragma once

#include <cuda/atomic>

#include "10_memory_model/10_memory_model.hpp"
#include "kit.cuh"

namespace one_word {

using memory_model::kBlock;

// Like v5, but the arrivals themselves open the barrier: block 0 adds so much that all of them together flip the highest bit and
// leave the others as they were. No second message, nothing to set back; and who waits asks without order, with one fence behind.
__device__ inline void wait_for_grid(unsigned int* word) {
    constexpr unsigned int top = 0x80000000u;
    __syncthreads();  // thread 0 speaks for the block
    if (threadIdx.x == 0) {
        cuda::atomic_ref<unsigned int, cuda::thread_scope_device> arrivals(*word);
        const unsigned int before =
            arrivals.fetch_add(blockIdx.x == 0 ? top - (gridDim.x - 1) : 1, cuda::memory_order_release);
        while (((before ^ arrivals.load(cuda::memory_order_relaxed)) & top) == 0) {
        }
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    }
    __syncthreads();  // nobody goes on before thread 0
}

__global__ void smooth_v7_one_word(int* even, int* odd, int n, int rounds, unsigned int* word) {
    for (int r = 0; r < rounds; ++r) {
        if (r > 0) wait_for_grid(word);
        const int* const from = r % 2 == 0 ? even : odd;
        int* const to = r % 2 == 0 ? odd : even;
        for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock)
            to[i] = (from[i == 0 ? n - 1 : i - 1] + from[i == n - 1 ? 0 : i + 1]) % 1000;
    }
}

/// One value per thread, as many threads as there are values.
inline void smooth(int* even, int* odd, int n, int rounds, unsigned int* word) {
    void* arguments[] = {&even, &odd, &n, &rounds, &word};
    CUDA_CHECK(cudaLaunchCooperativeKernel(smooth_v7_one_word, dim3(n / kBlock), dim3(kBlock), arguments));
}

}  // namespace one_word

// v7: a barrier of the grid with two words, a count and a generation, as in textbooks. GPU only.
#pragma once

#include <cuda/atomic>

#include "10_memory_model/10_memory_model.hpp"
#include "kit.cuh"

namespace two_words {

using memory_model::kBlock;

/// Both words are 0 before the first barrier. The next launch can continue with their values.
struct Barrier {
    unsigned int* arrived;     ///< blocks that wait for the others
    unsigned int* generation;  ///< how many times all blocks have arrived
};

// Like v5, but the last block to arrive resets the count and then signals the others through a second word: one more message
// between the last arrival and the waiting blocks. In return, the waiting blocks do not poll the word to which others still add.
// [barrier]
__device__ inline void wait_for_grid(Barrier barrier) {
    __syncthreads();  // thread 0 acts for the block: all its threads have arrived
    if (threadIdx.x == 0) {
        using Word = cuda::atomic_ref<unsigned int, cuda::thread_scope_device>;
        Word arrived(*barrier.arrived), generation(*barrier.generation);
        const unsigned int mine =
            generation.load(cuda::memory_order_relaxed);  // cannot change before this block arrives
        if (arrived.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1) {
            arrived.store(0, cuda::memory_order_relaxed);  // before another block can arrive again
            generation.store(mine + 1, cuda::memory_order_release);
        } else {
            while (generation.load(cuda::memory_order_acquire) == mine) {
            }
        }
    }
    __syncthreads();  // no thread proceeds before thread 0
}
// [/barrier]

__global__ void smooth_v7_two_words(int* even, int* odd, int n, int rounds, Barrier barrier) {
    for (int r = 0; r < rounds; ++r) {
        if (r > 0) wait_for_grid(barrier);
        const int* const from = r % 2 == 0 ? even : odd;
        int* const to = r % 2 == 0 ? odd : even;
        for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock)
            to[i] = (from[i == 0 ? n - 1 : i - 1] + from[i == n - 1 ? 0 : i + 1]) % 1000;
    }
}

/// Launches one thread per value.
inline void smooth(int* even, int* odd, int n, int rounds, Barrier barrier) {
    void* arguments[] = {&even, &odd, &n, &rounds, &barrier};
    CUDA_CHECK(cudaLaunchCooperativeKernel(smooth_v7_two_words, dim3(n / kBlock), dim3(kBlock), arguments));
}

}  // namespace two_words

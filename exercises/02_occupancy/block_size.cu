// 02_occupancy/block_size: the best block size when each thread needs shared memory.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests block_size.cu
//        ../../tests/02_occupancy/block_size_test.cu -o block_size
// Run:   ./block_size
//
//   v3  count_states_v3: every thread has a table in shared memory; the runtime suggests the block size

#include <algorithm>

#include "02_occupancy/02_occupancy.hpp"
#include "kit.cuh"

namespace occupancy {

// v3: every thread counts in its own table, so that no two threads use the same counter; the tables are added at the end.
// Mapping : grid-stride; counter s of thread t is table[s * blockDim.x + t], so neighbours use neighbouring banks.
// Cost    : 1 byte read and 1 shared update per value; 200 bytes of shared memory per thread.
// Requires: kStates * blockDim.x counters of dynamic shared memory; the counts are 0 when the kernel starts.
// Next    : shared memory limits the threads, but fewer threads can do as well; see v5.
// [kernel]
__global__ void count_states_v3(const unsigned char* states, std::size_t n, unsigned int* counts) {
    extern __shared__ unsigned int table[];
    int t = threadIdx.x;
    int threads = blockDim.x;
    for (int s = 0; s < kStates; ++s) table[s * threads + t] = 0;

    std::size_t first = std::size_t{blockIdx.x} * threads + t;
    for (std::size_t i = first; i < n; i += std::size_t{gridDim.x} * threads) {
        if (states[i] < kStates) ++table[states[i] * threads + t];
    }
    __syncthreads();  // the code below reads the tables of all threads

    for (int s = t; s < kStates; s += threads) {
        unsigned int sum = 0;
        for (int k = 0; k < threads; ++k) sum += table[s * threads + (k + t) % threads];
        if (sum > 0) atomicAdd(&counts[s], sum);
    }
}
// [/kernel]

StatesKernel states_kernel() {
    return count_states_v3;
}

// [shared]
__host__ __device__ std::size_t bytes_for(int block) {
    // TODO(1): Return the bytes for a block in which each thread has kStates counters. 1 line.
    KIT_TODO(1, block);
    return 0;
}

/// The same as a function object, because the runtime takes one; it may call it from host or device code.
struct BytesFor {
    __host__ __device__ std::size_t operator()(int block) const { return bytes_for(block); }
};
// [/shared]

std::size_t states_shared(int block) {
    return bytes_for(block);
}

// [launch]
Shape count_states(const unsigned char* states, std::size_t n, unsigned int* counts) {
    CUDA_CHECK(cudaMemsetAsync(counts, 0, kStates * sizeof(unsigned int)));
    if (n == 0) return {0, 0};
    // TODO(2): Find the block size that keeps the most threads resident if the shared memory grows with the block.
    // 2 lines, with cudaOccupancyMaxPotentialBlockSizeVariableSMem and BytesFor.
    int full_grid = 0;
    Shape shape = {};
    KIT_TODO(2, full_grid, shape);

    // TODO(3): Launch no more blocks than the values need, with the shared memory of *this* block. 4 lines.
    KIT_TODO(3, states, n, counts);
    return shape;
}
// [/launch]

}  // namespace occupancy

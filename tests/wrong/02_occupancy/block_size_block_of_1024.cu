// wrong: A block of 1024 threads is assumed to be the best.
// diagnosis: cudaErrorInvalidValue
// diagnosis: Task 3, "launch"

#include <algorithm>

#include "02_occupancy/02_occupancy.hpp"
#include "kit.cuh"

namespace occupancy {

// v3: every thread counts in a table of its own, so that no two threads ever meet; the tables are added at the end.
// Mapping : grid-stride; counter s of thread t is table[s * blockDim.x + t], so neighbours use neighbouring banks.
// Cost    : 1 byte read and 1 shared update per value; 200 bytes of shared memory per thread.
// Requires: kStates * blockDim.x counters of dynamic shared memory; the counts are 0 when the kernel starts.
// Next    : shared memory limits the threads; fewer threads can do as well, see v5.
__global__ void count_states_v3(const unsigned char* states, std::size_t n, unsigned int* counts) {
    extern __shared__ unsigned int table[];
    int t = threadIdx.x;
    int threads = blockDim.x;
    for (int s = 0; s < kStates; ++s) table[s * threads + t] = 0;

    std::size_t first = std::size_t{blockIdx.x} * threads + t;
    for (std::size_t i = first; i < n; i += std::size_t{gridDim.x} * threads) {
        if (states[i] < kStates) ++table[states[i] * threads + t];
    }
    __syncthreads();  // what follows reads the tables of all threads

    for (int s = t; s < kStates; s += threads) {
        unsigned int sum = 0;
        for (int k = 0; k < threads; ++k) sum += table[s * threads + (k + t) % threads];
        if (sum > 0) atomicAdd(&counts[s], sum);
    }
}

StatesKernel states_kernel() {
    return count_states_v3;
}

__host__ __device__ std::size_t bytes_for(int block) {
    return sizeof(unsigned int) * kStates * static_cast<std::size_t>(block);
}

/// The same as a function object, which is what the runtime takes; it may call it from host or device code.
struct BytesFor {
    __host__ __device__ std::size_t operator()(int block) const { return bytes_for(block); }
};

std::size_t states_shared(int block) {
    return bytes_for(block);
}

Shape count_states(const unsigned char* states, std::size_t n, unsigned int* counts) {
    CUDA_CHECK(cudaMemsetAsync(counts, 0, kStates * sizeof(unsigned int)));
    if (n == 0) return {0, 0};
    int full_grid = 0;
    Shape shape = {};
    shape.block = 1024;
    full_grid = 132 * 2;

    std::size_t needed = kit::ceil_div(n, static_cast<std::size_t>(shape.block));
    shape.grid = static_cast<int>(std::min(needed, static_cast<std::size_t>(full_grid)));
    count_states_v3<<<shape.grid, shape.block, bytes_for(shape.block)>>>(states, n, counts);
    CUDA_CHECK_LAUNCH();
    return shape;
}

}  // namespace occupancy

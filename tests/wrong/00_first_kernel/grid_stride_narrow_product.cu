// wrong: blockIdx.x * blockDim.x is a product of 32 bits: beyond 2^32 threads it wraps around
// diagnosis: FAIL  n=5000 grid=4194307 block=1024
// backends: gpu
// It takes more than 2^32 threads: too many for the CPU executor.

#include "00_first_kernel/00_first_kernel.hpp"
#include "kit.cuh"

namespace {

// v1: each thread starts at its own element and moves on by the size of the grid.
// Mapping : thread t of T takes the elements first + t, first + t + T, first + t + 2T, ...
// Cost    : 2 global reads and 1 global write per element; neighbours in a warp read neighbours in memory.
// Requires: nothing; any grid, any block, also more threads than elements.
__global__ void update(const float* x, float* y, std::size_t first, std::size_t last, float factor) {
    std::size_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    std::size_t threads = gridDim.x * blockDim.x;

    for (std::size_t i = first + thread; i < last; i += threads) {
        y[i] = factor * x[i] + y[i];
    }
}

}  // namespace

void first_kernel::grid_stride(const float* x, float* y, std::size_t first, std::size_t last, float factor,
                               int grid, int block) {
    update<<<grid, block>>>(x, y, first, last, factor);
    CUDA_CHECK_LAUNCH();
}

// wrong: ignores the grid that the caller asks for
// diagnosis: the caller's grid
// backends: cpu
// sanitizer.all: the numbers are right: only the executor knows the grid of a launch
// The answer is right; only the executor counts the threads.

#include "00_first_kernel/00_first_kernel.hpp"
#include "kit.cuh"

namespace {

// v1: each thread starts at its own element and moves on by the size of the grid.
// Mapping : thread t of T takes the elements first + t, first + t + T, first + t + 2T, ...
// Cost    : 2 global reads and 1 global write per element; neighbours in a warp read neighbours in memory.
// Requires: nothing; any grid, any block, also more threads than elements.
__global__ void update(const float* x, float* y, std::size_t first, std::size_t last, float factor) {
    std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    std::size_t threads = std::size_t{gridDim.x} * blockDim.x;

    for (std::size_t i = first + thread; i < last; i += threads) {
        y[i] = factor * x[i] + y[i];
    }
}

}  // namespace

void first_kernel::grid_stride(const float* x, float* y, std::size_t first, std::size_t last, float factor,
                               int grid, int block) {
    (void)grid;
    (void)block;
    update<<<32, 256>>>(x, y, first, last, factor);
    CUDA_CHECK_LAUNCH();
}

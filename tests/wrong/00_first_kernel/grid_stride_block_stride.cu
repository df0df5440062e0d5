// wrong: the stride is the block, not the grid: with several blocks elements are updated several times
// diagnosis: PASS  n=1009 grid=1 block=1000
// diagnosis.cpu: race on byte 256 of `y`
// diagnosis.gpu: elements were updated more than once
// diagnosis.cpu: FAIL  n=1009 grid=2 block=33

#include "00_first_kernel/00_first_kernel.hpp"
#include "kit.cuh"

namespace {

// v1: each thread starts at its own element and moves on by the size of the grid.
// Mapping : thread t of T takes the elements first + t, first + t + T, first + t + 2T, ...
// Cost    : 2 global reads and 1 global write per element; neighbours in a warp read neighbours in memory.
// Requires: nothing; any grid, any block, also more threads than elements.
__global__ void update(const float* x, float* y, std::size_t first, std::size_t last, float factor) {
    std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    std::size_t threads = blockDim.x;

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

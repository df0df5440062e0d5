// 00_first_kernel/grid_stride: a loop that works with any grid and any index.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests grid_stride.cu
//        ../../tests/00_first_kernel/grid_stride_test.cu -o grid_stride
// Run:   ./grid_stride
//
//   v1  update: a grid-stride loop, 64-bit indices

#include "00_first_kernel/00_first_kernel.hpp"
#include "kit.cuh"

namespace {

// v1: each thread starts at its own element and advances by the size of the grid.
// Mapping : thread t of T takes the elements first + t, first + t + T, first + t + 2T, ...
// Cost    : 2 global reads and 1 global write per element; neighbouring lanes access neighbouring elements.
// Requires: nothing; any grid and any block work, even with more threads than elements.
// [kernel]
__global__ void update(const float* x, float* y, std::size_t first, std::size_t last, float factor) {
    // TODO(1): Compute the number of this thread in the grid, and the number of threads in the grid. Make both
    // std::size_t, and make sure that the product is 64 bits wide, too. 2 lines: replace the zeros.
    // BEGIN SOLUTION 1
    std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    // STARTER std::size_t thread = 0;
    // STARTER std::size_t threads = 0;
    // STARTER KIT_TODO(1);
    // END SOLUTION 1

    // TODO(2): Loop over this thread's elements of the slice and update each. About 3 lines.
    // BEGIN SOLUTION 2
    for (std::size_t i = first + thread; i < last; i += threads) {
        y[i] = factor * x[i] + y[i];
    }
    // STARTER KIT_TODO(2, x, y, first, last, factor, thread, threads);
    // END SOLUTION 2
}
// [/kernel]

}  // namespace

void first_kernel::grid_stride(const float* x, float* y, std::size_t first, std::size_t last, float factor,
                               int grid, int block) {
    // TODO(3): Launch the kernel with the caller's grid and block. 1 line: replace the ones.
    // BEGIN SOLUTION 3
    update<<<grid, block>>>(x, y, first, last, factor);
    // STARTER update<<<1, 1>>>(x, y, first, last, factor);
    // STARTER KIT_TODO(3, grid, block);
    // END SOLUTION 3
    CUDA_CHECK_LAUNCH();
}

// 19_roofline/fuse: two kernels as one, and a sum without an array.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests fuse.cu
//        ../../tests/19_roofline/fuse_test.cu -o fuse
// Run:   ./fuse
//
//   v2  two kernels        add and scale, then squares: 20 bytes per element (given)
//   v3  squares_v3         like v2, but the intermediate value stays in a register: 12 bytes
//   v4  sum_of_squares_v4  like v3, but only the sum is needed: 8 bytes

#include <algorithm>

#include "19_roofline/19_roofline.hpp"
#include "kit.cuh"

namespace roofline {

/// Returns how many blocks of kBlock threads n threads need.
unsigned int blocks_for(std::size_t n) {
    return static_cast<unsigned int>(kit::ceil_div(n, std::size_t{kBlock}));
}

// v2: one kernel for each step.
// Mapping : one thread per element, twice.
// Cost    : 20 bytes per element: x, y and t; then t and z.
// Requires: n may be ragged.
// Next    : only the second kernel needs t; see v3.
// [v2]
__global__ void add_scale_v2(const float* x, const float* y, std::size_t n, float a, float* t) {
    std::size_t i = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < n) t[i] = a * x[i] + y[i];
}

__global__ void square_v2(const float* t, std::size_t n, float* z) {
    std::size_t i = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < n) z[i] = t[i] * t[i];
}
// [/v2]

void squares_in_two(const float* x, const float* y, std::size_t n, float a, float* t, float* z) {
    if (n == 0) return;
    add_scale_v2<<<blocks_for(n), kBlock>>>(x, y, n, a, t);
    square_v2<<<blocks_for(n), kBlock>>>(t, n, z);
    CUDA_CHECK_LAUNCH();
}

// v3: like v2, but in one kernel, with t in a register.
// Mapping : one thread per element.
// Cost    : 12 bytes per element: x, y and z.
// Requires: n may be ragged.
// Next    : if only the sum is needed, z does not have to be written either; see v4.
// [v3]
__global__ void squares_v3(const float* x, const float* y, std::size_t n, float a, float* z) {
    // TODO(1): Do both steps of v2 here. About 4 lines.
    KIT_TODO(1, x, y, n, a, z);
}
// [/v3]

void squares(const float* x, const float* y, std::size_t n, float a, float* z) {
    if (n == 0) return;
    squares_v3<<<blocks_for(n), kBlock>>>(x, y, n, a, z);
    CUDA_CHECK_LAUNCH();
}

/// Returns the sum over the block to thread 0 (topic 07). All threads of the block must call it.
__device__ float sum_of_block(float value) {
    __shared__ float sums[kBlock / 32];
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
    __syncthreads();  // all warps have written their sums before thread 0 adds them
    float sum = 0;
    if (threadIdx.x == 0)
        for (float of_warp : sums) sum += of_warp;
    return sum;
}

/// Maximum number of blocks. Each adds to the sum once, so there are only a few additions.
constexpr unsigned int kMaxBlocks = 1024;

// v4: like v3, but the squares stay in registers, too.
// Mapping : a grid-stride loop; each thread sums its own elements, and each block adds to *sum once.
// Cost    : 8 bytes per element: x and y.
// Requires: *sum is 0 before the launch; blocks have kBlock threads.
// Next    : wider loads, as in lecture 03.
// [v4]
__global__ void sum_of_squares_v4(const float* x, const float* y, std::size_t n, float a, float* sum) {
    float own = 0;
    // TODO(2): Sum the squares of this thread in a grid-stride loop. About 5 lines.
    KIT_TODO(2, x, y, n, a);
    float all = sum_of_block(own);
    // TODO(3): Add the block's sum to *sum. Which thread must do it, and how, if other blocks do the same? 1 line.
    KIT_TODO(3, all, sum);
}
// [/v4]

// [launch]
void sum_of_squares(const float* x, const float* y, std::size_t n, float a, float* sum) {
    // TODO(4): Set *sum to 0, even if n is 0. Then launch at most kMaxBlocks blocks. About 4 lines.
    KIT_TODO(4, x, y, n, a, sum, kMaxBlocks);
}
// [/launch]

}  // namespace roofline

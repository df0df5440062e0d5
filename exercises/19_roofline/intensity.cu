// 19_roofline/intensity: operations and bytes of six kernels, and the sizes at which the roof changes.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests intensity.cu
//        ../../tests/19_roofline/intensity_test.cu -o intensity
// Run:   ./intensity
//
//   v1  attainable: computes the roof from operations and bytes

#include <algorithm>

#include "19_roofline/19_roofline.hpp"
#include "kit.cuh"

namespace roofline {

// The six kernels are given. Read them, because all numbers that you need are in the code.

// [copy]
__global__ void copy(const float* in, std::size_t n, float* out) {
    std::size_t i = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < n) out[i] = in[i];
}
// [/copy]

// [add_scale]
__global__ void add_scale(const float* in, const float* b, std::size_t n, float a, float* out) {
    std::size_t i = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < n) out[i] = a * in[i] + b[i];
}
// [/add_scale]

// [stencil]
__global__ void stencil(const float* in, std::size_t n, float a, float b, float* out) {
    std::size_t c = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    std::size_t r = std::size_t{blockIdx.y} * blockDim.y + threadIdx.y;
    if (r >= n || c >= n) return;
    std::size_t up = (r == 0 ? n : r) - 1, down = r + 1 == n ? 0 : r + 1;
    std::size_t left = (c == 0 ? n : c) - 1, right = c + 1 == n ? 0 : c + 1;
    float around = in[up * n + c] + in[down * n + c] + in[r * n + left] + in[r * n + right];
    out[r * n + c] = a * around + b * in[r * n + c];
}
// [/stencil]

// [matvec]
__global__ void matvec(const float* in, const float* b, std::size_t n, float* out) {
    std::size_t r = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    if (r >= n) return;
    float sum = 0;
    for (std::size_t c = 0; c < n; ++c) sum += in[r * n + c] * b[c];
    out[r] = sum;
}
// [/matvec]

// [matmul]
__global__ void matmul(const float* in, const float* b, std::size_t n, float* out) {
    std::size_t c = std::size_t{blockIdx.x} * kTile + threadIdx.x;
    std::size_t r = std::size_t{blockIdx.y} * kTile + threadIdx.y;
    if (r >= n || c >= n) return;
    float sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += in[r * n + k] * b[k * n + c];
    out[r * n + c] = sum;
}
// [/matmul]

// [matmul_tiled]
__global__ void matmul_tiled(const float* in, const float* b, std::size_t n, float* out) {
    __shared__ float tile_in[kTile][kTile], tile_b[kTile][kTile];
    unsigned x = threadIdx.x, y = threadIdx.y;
    std::size_t c = std::size_t{blockIdx.x} * kTile + x, r = std::size_t{blockIdx.y} * kTile + y;
    float sum = 0;
    for (std::size_t first = 0; first < n; first += kTile) {
        tile_in[y][x] = in[r * n + first + x];
        tile_b[y][x] = b[(first + y) * n + c];
        __syncthreads();  // all threads fill both tiles before any thread reads them
        for (int k = 0; k < kTile; ++k) sum += tile_in[y][k] * tile_b[k][x];
        __syncthreads();  // all threads read the tiles before the next round overwrites them
    }
    out[r * n + c] = sum;
}
// [/matmul_tiled]

void run(Kernel kernel, const float* in, const float* b, std::size_t n, float* out) {
    if (n == 0) return;
    auto blocks = [](std::size_t threads) {
        return static_cast<unsigned int>(kit::ceil_div(threads, std::size_t{kBlock}));
    };
    auto tiles = static_cast<unsigned int>(kit::ceil_div(n, std::size_t{kTile}));
    dim3 grid(tiles, tiles), block(kTile, kTile);
    switch (kernel) {
        case Kernel::copy:
            copy<<<blocks(n), kBlock>>>(in, n, out);
            break;
        case Kernel::add_scale:
            add_scale<<<blocks(n), kBlock>>>(in, b, n, 2, out);
            break;
        case Kernel::stencil: {
            dim3 row_block(32, kBlock / 32);  // a warp has 32 neighbours of one row
            dim3 row_grid(static_cast<unsigned int>(kit::ceil_div(n, std::size_t{row_block.x})),
                          static_cast<unsigned int>(kit::ceil_div(n, std::size_t{row_block.y})));
            stencil<<<row_grid, row_block>>>(in, n, 2, 3, out);
            break;
        }
        case Kernel::matvec:
            matvec<<<blocks(n), kBlock>>>(in, b, n, out);
            break;
        case Kernel::matmul:
            matmul<<<grid, block>>>(in, b, n, out);
            break;
        case Kernel::matmul_tiled:
            matmul_tiled<<<grid, block>>>(in, b, n, out);
            break;
    }
    CUDA_CHECK_LAUNCH();
}

// [flops]
double flops(Kernel kernel, std::size_t size) {
    auto n = static_cast<double>(size);
    // TODO(1): Return one formula in n per kernel, 6 in total. About 13 lines.
    KIT_TODO(1, kernel, n);
    return 0;
}
// [/flops]

// [asked]
double asked_bytes(Kernel kernel, std::size_t size) {
    auto n = static_cast<double>(size);
    // TODO(2): Return one formula in n per kernel: the bytes of all loads and stores of all threads. About 14 lines.
    KIT_TODO(2, kernel, n);
    return 0;
}
// [/asked]

// [compulsory]
double compulsory_bytes(Kernel kernel, std::size_t size) {
    auto n = static_cast<double>(size);
    // TODO(3): Return one formula in n per kernel: the bytes of every element that is read or written, counted once. About 13 lines.
    KIT_TODO(3, kernel, n);
    return 0;
}
// [/compulsory]

// v1: a kernel cannot move bytes faster than memory can, nor compute faster than the units can. Given.
// [roof]
double ridge(const Machine& machine) {
    return machine.gflop_per_s / machine.gb_per_s;
}

double attainable(const Machine& machine, double intensity) {
    return std::min(machine.gflop_per_s, machine.gb_per_s * intensity);
}
// [/roof]

// [sizes]
std::size_t first_compute_bound(const Machine& machine, Kernel kernel, std::size_t largest) {
    // TODO(4): Find the smallest n for which the compute roof is the lower one. About 3 lines.
    KIT_TODO(4, machine, kernel, largest);
    return 0;
}

int smallest_tile(const Machine& machine) {
    // TODO(5): Derive the intensity of a tile, and find the smallest tile that is enough. About 4 lines.
    KIT_TODO(5, machine);
    return 0;
}
// [/sizes]

}  // namespace roofline

// 05_convolution/conv2d_tiled: a tile with rows, columns and corners of halo.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests conv2d_tiled.cu
//        ../../tests/05_convolution/conv2d_tiled_test.cu -o conv2d_tiled
// Run:   ./conv2d_tiled
//
//   v5  conv2d_v5_constant: like v2, in two dimensions; given, for comparison
//   v6  conv2d_v6_tiled: like v3, in two dimensions

#include "05_convolution/05_convolution.hpp"
#include "kit.cuh"

namespace convolution {

namespace {

__constant__ float constant_mask[kMaxWidth2d * kMaxWidth2d];

}  // namespace

// v5: like v2, in two dimensions: mask in constant memory, input directly from global memory.
// Mapping : one thread per output, blocks of kTileX * kTileY.
// Cost    : width * width global reads and as many multiply-adds per output.
// Requires: rows * columns below 2^31.
// Next    : neighbours read nearly the same elements; see v6.
__global__ void conv2d_v5_constant(const float* in, int rows, int columns, int width, float* out) {
    int x = blockIdx.x * kTileX + threadIdx.x;
    int y = blockIdx.y * kTileY + threadIdx.y;
    if (x >= columns || y >= rows) return;
    float sum = 0;
    for (int p = 0; p < width; ++p) {
        int row = y - width / 2 + p;
        if (row < 0 || row >= rows) continue;
        for (int q = 0; q < width; ++q) {
            int column = x - width / 2 + q;
            if (column >= 0 && column < columns)
                sum += constant_mask[p * width + q] * in[row * columns + column];
        }
    }
    out[y * columns + x] = sum;
}

// v6: like v5, but through a tile in shared memory with a halo on all four sides, and at the corners.
// Mapping : one thread per output; the threads of the block loop over the tile in steps of the block's size.
// Cost    : (kTileX + width - 1) * (kTileY + width - 1) global reads per block; width * width shared reads per output.
// Requires: width <= kMaxWidth2d, because tile and mask have room for no more.
// Next    : one shared read for each multiply-add; see v7 in conv2d_fast.cu.
// [kernel]
__global__ void conv2d_v6_tiled(const float* in, int rows, int columns, int width, float* out) {
    __shared__ float tile[kTileY + kMaxWidth2d - 1][kTileX + kMaxWidth2d - 1];
    int first_x = blockIdx.x * kTileX - width / 2;  // the element that tile[0][0] holds
    int first_y = blockIdx.y * kTileY - width / 2;

    // TODO(1): Fill kTileY + width - 1 rows of kTileX + width - 1 elements. Let each thread take every kTileY-th row,
    // starting at threadIdx.y, and in it every kTileX-th element, starting at threadIdx.x. Use 0 for a ghost, whether its row
    // or its column is outside the image. About 8 lines.
    KIT_TODO(1, in, rows, first_x, first_y, tile);

    // TODO(2): Wait until the tile is complete, add up mask times tile, and write this thread's output, if it has
    // one. About 9 lines.
    KIT_TODO(2, rows, columns, width, out, tile);
}
// [/kernel]

cudaError_t conv2d_constant(const float* in, int rows, int columns, const float* mask, int width,
                            float* out) {
    if (width < 1 || width > kMaxWidth2d) return cudaErrorInvalidValue;
    CUDA_CHECK(cudaMemcpyToSymbol(constant_mask, mask, width * width * sizeof(float)));
    if (rows == 0 || columns == 0) return cudaSuccess;
    dim3 grid(kit::ceil_div(columns, kTileX), kit::ceil_div(rows, kTileY));
    conv2d_v5_constant<<<grid, dim3(kTileX, kTileY)>>>(in, rows, columns, width, out);
    CUDA_CHECK_LAUNCH();
    return cudaSuccess;
}

cudaError_t conv2d_tiled(const float* in, int rows, int columns, const float* mask, int width, float* out) {
    // TODO(3): Refuse a mask that does not fit and copy the mask (how many elements does it have?). Launch a grid of blocks of
    // kTileX * kTileY threads that covers all columns and rows, or nothing if the image has none. About 6 lines.
    KIT_TODO(3, in, rows, columns, mask, width, out);
    return cudaSuccess;
}

}  // namespace convolution

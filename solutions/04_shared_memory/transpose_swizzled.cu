// 04_shared_memory/transpose_swizzled: a transpose without bank conflicts and without padding.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests transpose_swizzled.cu
//        ../../tests/04_shared_memory/transpose_swizzled_test.cu -o transpose_swizzled
// Run:   ./transpose_swizzled
//
//   v4  transpose_v4_swizzled: like v3, but without unused elements

#include "04_shared_memory/04_shared_memory.hpp"
#include "kit.cuh"

namespace shared_memory {

/// Returns the index in row y of the tile at which the element of column x is stored. Each row is a permutation.
// [place]
__device__ int place(int y, int x) {
    int at = x;
    // TODO(1): Permute the elements of each row in a different way, so that 32 neighbours in a column are also in 32
    // different banks. 1 line.
    // BEGIN SOLUTION 1
    at = x ^ (y % kBanks);
    // STARTER KIT_TODO(1, y, x, at);
    // END SOLUTION 1
    return at;
}
// [/place]

// v4: like v3, but the tile has no unused elements, because its rows are permuted.
// Mapping : as v2.
// Cost    : as v3, with kTile * kTile * 4 bytes of shared memory.
// Requires: rows * columns below 2^31; any shape; kTile is a multiple of kBanks.
// Next    : shapes whose rows do not begin at a sector; see v6 in the lecture.
// [v4]
__global__ void transpose_v4_swizzled(const float* in, int rows, int columns, float* out) {
    __shared__ float tile[kTile][kTile];
    int first_row = blockIdx.x * kTile;
    int first_column = blockIdx.y * kTile;

    // TODO(2): Read the tile, store each element at its place, and wait for all threads. 8 lines.
    // BEGIN SOLUTION 2
    int column = first_column + threadIdx.x;
#pragma unroll
    for (int j = 0; j < kTile; j += kBlockRows) {
        int y = threadIdx.y + j;
        int row = first_row + y;
        if (row < rows && column < columns) tile[y][place(y, threadIdx.x)] = in[row * columns + column];
    }
    __syncthreads();  // all stores to the tile precede all reads of it
    // STARTER KIT_TODO(2, in, rows, columns, first_row, first_column, tile);
    // END SOLUTION 2

    // TODO(3): Write the tile to `out`, each element from its place. 8 lines.
    // BEGIN SOLUTION 3
    int row = first_row + threadIdx.x;
#pragma unroll
    for (int j = 0; j < kTile; j += kBlockRows) {
        int x = threadIdx.y + j;
        int out_row = first_column + x;
        if (row < rows && out_row < columns)
            out[out_row * rows + row] = tile[threadIdx.x][place(threadIdx.x, x)];
    }
    // STARTER KIT_TODO(3, rows, columns, out, first_row, first_column, tile);
    // END SOLUTION 3
}
// [/v4]

void transpose_swizzled(const float* in, int rows, int columns, float* out) {
    if (rows == 0 || columns == 0) return;
    dim3 grid(kit::ceil_div(rows, kTile), kit::ceil_div(columns, kTile));
    transpose_v4_swizzled<<<grid, dim3(kTile, kBlockRows)>>>(in, rows, columns, out);
    CUDA_CHECK_LAUNCH();
}

}  // namespace shared_memory

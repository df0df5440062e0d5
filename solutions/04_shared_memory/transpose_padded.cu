// 04_shared_memory/transpose_padded: the tiled transpose without bank conflicts, using a tile with longer rows.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests transpose_padded.cu
//        ../../tests/04_shared_memory/transpose_padded_test.cu -o transpose_padded
// Run:   ./transpose_padded
//
//   v3  transpose_v3_padded: like v2, but a column of the tile is spread over 32 banks

#include "04_shared_memory/04_shared_memory.hpp"
#include "kit.cuh"

namespace shared_memory {

// v3: like v2, but each row of the tile ends with an element that no thread uses.
// Mapping : as v2.
// Cost    : as v2, but 1 wavefront per access to shared memory, and kTile * 4 more bytes of shared memory.
// Requires: rows * columns below 2^31; any shape.
// Next    : avoid the conflicts without unused elements; see v4.
// [v3]
__global__ void transpose_v3_padded(const float* in, int rows, int columns, float* out) {
    // TODO(1): Make the rows of the tile longer, so that 32 neighbours in a column are in 32 different banks. 1 line.
    // BEGIN SOLUTION 1
    __shared__ float tile[kTile][kTile + 1];
    // STARTER __shared__ float tile[kTile][kTile];
    // STARTER KIT_TODO(1, tile);
    // END SOLUTION 1
    int first_row = blockIdx.x * kTile;
    int first_column = blockIdx.y * kTile;

    // TODO(2): Read the tile, and wait for all threads, as in v2. 6 lines.
    // BEGIN SOLUTION 2
    int column = first_column + threadIdx.x;
#pragma unroll
    for (int j = 0; j < kTile; j += kBlockRows) {
        int y = threadIdx.y + j;
        int row = first_row + y;
        if (row < rows && column < columns) tile[y][threadIdx.x] = in[row * columns + column];
    }
    __syncthreads();  // all stores to the tile precede all reads of it
    // STARTER KIT_TODO(2, in, rows, columns, first_row, first_column, tile);
    // END SOLUTION 2

    // TODO(3): Write the tile to `out`, as in v2. 5 lines.
    // BEGIN SOLUTION 3
    int row = first_row + threadIdx.x;
#pragma unroll
    for (int j = 0; j < kTile; j += kBlockRows) {
        int x = threadIdx.y + j;
        int out_row = first_column + x;
        if (row < rows && out_row < columns) out[out_row * rows + row] = tile[threadIdx.x][x];
    }
    // STARTER KIT_TODO(3, rows, columns, out, first_row, first_column, tile);
    // END SOLUTION 3
}
// [/v3]

void transpose_padded(const float* in, int rows, int columns, float* out) {
    if (rows == 0 || columns == 0) return;
    dim3 grid(kit::ceil_div(rows, kTile), kit::ceil_div(columns, kTile));
    transpose_v3_padded<<<grid, dim3(kTile, kBlockRows)>>>(in, rows, columns, out);
    CUDA_CHECK_LAUNCH();
}

}  // namespace shared_memory

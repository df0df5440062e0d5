// 04_shared_memory/transpose_tiled: a transpose through shared memory.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests transpose_tiled.cu
//        ../../tests/04_shared_memory/transpose_tiled_test.cu -o transpose_tiled
// Run:   ./transpose_tiled
//
//   v2  transpose_v2_tiled: like v1, but each tile is transposed in shared memory

#include "04_shared_memory/04_shared_memory.hpp"
#include "kit.cuh"

namespace shared_memory {

// v2: like v1, but the block reads the tile along its rows and writes it along its columns, which are rows of the output.
// Mapping : as v1; thread (x, y) writes elements that other threads have read.
// Cost    : 1 read and 1 write per element, 4 sectors for 128 bytes; in shared memory 1 wavefront to store, 32 to load.
// Requires: rows * columns below 2^31; any shape.
// Next    : all elements of a column of the tile are in the same bank; see v3.
// [v2]
__global__ void transpose_v2_tiled(const float* in, int rows, int columns, float* out) {
    __shared__ float tile[kTile][kTile];
    int first_row = blockIdx.x * kTile;
    int first_column = blockIdx.y * kTile;

    // TODO(1): Copy the elements of the tile that exist into tile[row in the tile][column in the tile]. Let neighbouring
    // lanes read neighbouring elements. 7 lines.
    KIT_TODO(1, in, rows, columns, first_row, first_column, tile);

    // TODO(2): Wait, because this thread will write elements that other threads have read. 1 line.
    KIT_TODO(2);

    // TODO(3): Write the tile to `out`. Again, let neighbouring lanes write neighbouring elements. Which index of the
    // tile does threadIdx.x count now, and which elements exist? 7 lines.
    KIT_TODO(3, rows, columns, out, first_row, first_column, tile);
}
// [/v2]

void transpose_tiled(const float* in, int rows, int columns, float* out) {
    if (rows == 0 || columns == 0) return;
    dim3 grid(kit::ceil_div(rows, kTile), kit::ceil_div(columns, kTile));
    transpose_v2_tiled<<<grid, dim3(kTile, kBlockRows)>>>(in, rows, columns, out);
    CUDA_CHECK_LAUNCH();
}

}  // namespace shared_memory

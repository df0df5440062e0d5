// 04_shared_memory/transpose_naive: a transpose of any shape.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests transpose_naive.cu
//        ../../tests/04_shared_memory/transpose_naive_test.cu -o transpose_naive
// Run:   ./transpose_naive
//
//   v1  transpose_v1_naive: reads along rows, writes along columns

#include "04_shared_memory/04_shared_memory.hpp"
#include "kit.cuh"

namespace shared_memory {

// v1: each thread writes its elements directly to their places in the output.
// Mapping : blocks of kTile * kBlockRows threads, with one tile of kTile * kTile elements each; thread (x, y) has the
//           elements of column x in the rows y, y + kBlockRows, ... of the tile. blockIdx.x counts tiles downwards.
// Cost    : 1 read and 1 write per element; the lanes of a warp write to 32 rows, so 128 bytes take 32 sectors.
// Requires: rows * columns below 2^31; any shape.
// Next    : transpose the tile in shared memory, where the distance between accesses costs nothing; see v2.
// [v1]
__global__ void transpose_v1_naive(const float* in, int rows, int columns, float* out) {
    int first_row = blockIdx.x * kTile;
    int column = blockIdx.y * kTile + threadIdx.x;
    // TODO(1): For each row of this thread, write the element to its place in `out`, if the element exists. 6 lines.
    KIT_TODO(1, in, rows, columns, out, first_row, column);
}
// [/v1]

// [launch]
void transpose_naive(const float* in, int rows, int columns, float* out) {
    if (rows == 0 || columns == 0) return;
    // TODO(2): Launch a grid whose tiles cover all rows (x) and all columns (y), with blocks of kTile by kBlockRows. 3 lines.
    KIT_TODO(2, in, rows, columns, out);
}
// [/launch]

}  // namespace shared_memory

// 04_shared_memory/transpose_padded: a transpose whose tile has the shortest rows without bank conflicts.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests transpose_padded.cu
//        ../../tests/04_shared_memory/transpose_padded_test.cu -o transpose_padded
// Run:   ./transpose_padded
//
//   v3  transpose_v3_padded: like v2, but a column of the tile is spread over 32 banks

#include <algorithm>

#include "04_shared_memory/04_shared_memory.hpp"
#include "kit.cuh"

namespace shared_memory {

/// Returns how many wavefronts a warp needs to read one column of 32 elements, one per lane (given).
int wavefronts_of_column(int length, int bytes) {
    int together =
        bytes <= kWordBytes ? kLanes : kLanes * kWordBytes / bytes;  // lanes that are served together
    int sum = 0;
    for (int first = 0; first < kLanes; first += together) {
        int most = 0;
        for (int bank = 0; bank < kBanks; ++bank) {
            int words = 0, last = -1;  // the addresses rise from lane to lane, so equal words are neighbours
            for (int lane = first; lane < first + together; ++lane) {
                int begin = lane * length * bytes / kWordBytes,
                    end = (lane * length * bytes + bytes - 1) / kWordBytes;
                for (int word = begin; word <= end; ++word) {
                    if (word % kBanks == bank && word != last) ++words, last = word;
                }
            }
            most = std::max(most, words);
        }
        sum += most;
    }
    return sum;
}

// [length]
int row_length(int width, int bytes) {
    // TODO(1): Return the smallest length, at least `width`, for which no column takes more wavefronts than its bytes need. How many
    // does a warp need at least, for elements of 1 to 16 bytes? About 5 lines.
    // BEGIN SOLUTION 1
    int fewest = std::max(
        1, bytes / kWordBytes);  // a wavefront delivers at most 32 words, and each lane has bytes / 4
    int length = width;
    while (wavefronts_of_column(length, bytes) > fewest) ++length;
    return length;
    // STARTER KIT_TODO(1, width, bytes);
    // STARTER return width;
    // END SOLUTION 1
}
// [/length]

// v3: like v2, but each row of the tile ends with an element that no thread uses.
// Mapping : as v2.
// Cost    : as v2, but 1 wavefront per access to shared memory, and kTile * 4 more bytes of shared memory.
// Requires: rows * columns below 2^31; any shape.
// Next    : avoid the conflicts without unused elements; see v4.
// [v3]
__global__ void transpose_v3_padded(const float* in, int rows, int columns, float* out) {
    // TODO(2): Copy your lines from transpose_tiled.cu, from the tile to the last store. Change the size of the tile, so that neither its
    // rows nor its columns take more than one wavefront. About 18 lines.
    // BEGIN SOLUTION 2
    __shared__ float tile[kTile][kTile + 1];
    int first_row = blockIdx.x * kTile;
    int first_column = blockIdx.y * kTile;

    int column = first_column + threadIdx.x;
#pragma unroll
    for (int j = 0; j < kTile; j += kBlockRows) {
        int y = threadIdx.y + j;
        int row = first_row + y;
        if (row < rows && column < columns) tile[y][threadIdx.x] = in[row * columns + column];
    }
    __syncthreads();  // all stores to the tile precede all reads of it

    int row = first_row + threadIdx.x;
#pragma unroll
    for (int j = 0; j < kTile; j += kBlockRows) {
        int x = threadIdx.y + j;
        int out_row = first_column + x;
        if (row < rows && out_row < columns) out[out_row * rows + row] = tile[threadIdx.x][x];
    }
    // STARTER KIT_TODO(2, in, rows, columns, out);
    // END SOLUTION 2
}
// [/v3]

void transpose_padded(const float* in, int rows, int columns, float* out) {
    if (rows == 0 || columns == 0) return;
    dim3 grid(kit::ceil_div(rows, kTile), kit::ceil_div(columns, kTile));
    transpose_v3_padded<<<grid, dim3(kTile, kBlockRows)>>>(in, rows, columns, out);
    CUDA_CHECK_LAUNCH();
}

}  // namespace shared_memory

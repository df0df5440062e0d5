// Transposes only for the lecture: v3 with a different order of blocks, v6 with whole sectors at any shape, v7 with 16 bytes.
#pragma once

#include "04_shared_memory/04_shared_memory.hpp"
#include "kit.cuh"

namespace shared_memory_demo {

using shared_memory::kTile;

/// Like v3. But if ACROSS, blockIdx.x counts tiles along a row of the input, so consecutive blocks write far from each other.
// [across]
template <bool ACROSS>
__global__ void padded(const float* in, int rows, int columns, float* out) {
    constexpr int block_rows = shared_memory::kBlockRows;
    __shared__ float tile[kTile][kTile + 1];
    const int first_row = (ACROSS ? blockIdx.y : blockIdx.x) * kTile;
    const int first_column = (ACROSS ? blockIdx.x : blockIdx.y) * kTile;
    // [/across]
    const int across = threadIdx.x, column = first_column + across;
#pragma unroll
    for (int j = 0; j < kTile; j += block_rows) {
        const int y = threadIdx.y + j, row = first_row + y;
        if (row < rows && column < columns) tile[y][threadIdx.x] = in[row * columns + column];
    }
    __syncthreads();  // all stores to the tile precede all reads of it
    const int row = first_row + threadIdx.x;
#pragma unroll
    for (int j = 0; j < kTile; j += block_rows) {
        const int x = threadIdx.y + j, out_row = first_column + x;
        if (row < rows && out_row < columns) out[out_row * rows + row] = tile[threadIdx.x][x];
    }
}

inline void across(const float* in, int rows, int columns, float* out) {
    dim3 grid(kit::ceil_div(columns, kTile), kit::ceil_div(rows, kTile));
    padded<true><<<grid, dim3(kTile, shared_memory::kBlockRows)>>>(in, rows, columns, out);
    CUDA_CHECK_LAUNCH();
}

/// Number of floats in a sector.
constexpr int kSector = 8;

// v6: like v3, but the piece of an output row that a block writes begins at a sector, for any shape.
// Mapping : a block reads kSector more rows than a tile has. Which of the rows it writes depends on the column.
// Cost    : as v3, but it reads an eighth more, which the block below reads as well; no sector is written in parts.
// Requires: rows * columns below 2^31; `out` begins at a multiple of 32 bytes.
// [v6]
/// Transposes one tile. If WHOLE, the block is not at an edge, so it need not check whether an element exists.
template <bool WHOLE>
__device__ void turn_aligned(const float* in, int rows, int columns, float* out, float (*tile)[kTile + 1]) {
    constexpr int block_rows = 8;
    const int first_row = blockIdx.x * kTile;
    const int first_column = blockIdx.y * kTile;
    const int across = threadIdx.x, column = first_column + across;
#pragma unroll
    for (int j = 0; j < kTile + kSector; j += block_rows) {
        const int y = threadIdx.y + j, row = first_row + y;
        if (WHOLE || (row < rows && column < columns)) tile[y][threadIdx.x] = in[row * columns + column];
    }
    __syncthreads();  // all stores to the tile precede all reads of it
#pragma unroll
    for (int j = 0; j < kTile; j += block_rows) {
        const int x = threadIdx.y + j, out_row = first_column + x;
        // Number of elements before the first whole sector.
        const int skip = (kSector - out_row * rows % kSector) % kSector;
        const int ahead = threadIdx.x, row = first_row + skip + ahead;
        if (WHOLE || (row < rows && out_row < columns)) out[out_row * rows + row] = tile[skip + ahead][x];
        const bool nobody_above = !WHOLE && blockIdx.x == 0;
        if (nobody_above && out_row < columns && ahead < skip && ahead < rows)
            out[out_row * rows + ahead] = tile[ahead][x];
    }
}

__global__ void __launch_bounds__(512)
    transpose_v6_aligned(const float* in, int rows, int columns, float* out) {
    __shared__ float tile[kTile + kSector][kTile + 1];
    const bool last = (blockIdx.x + 1) * kTile + kSector > static_cast<unsigned>(rows) ||
                      (blockIdx.y + 1) * kTile > static_cast<unsigned>(columns);
    if (blockIdx.x == 0 || last) {
        turn_aligned<false>(in, rows, columns, out, tile);
    } else {
        turn_aligned<true>(in, rows, columns, out, tile);
    }
}
// [/v6]

inline void aligned(const float* in, int rows, int columns, float* out) {
    dim3 grid(kit::ceil_div(rows, kTile), kit::ceil_div(columns, kTile));
    transpose_v6_aligned<<<grid, dim3(kTile, 8)>>>(in, rows, columns, out);
    CUDA_CHECK_LAUNCH();
}

// v7: 16 bytes at a time. Each thread transposes a square of 4 x 4 elements in registers, and the tile transposes the squares.
// Mapping : 256 threads; thread t has square (t % 16, t / 16) of the tile, and writes pieces of 4 elements.
// Cost    : as v4, with a quarter of the accesses. The squares in a row of the tile are swizzled, as in v4.
// Requires: rows and columns are multiples of 4; `in` and `out` begin at multiples of 16 bytes.
// [v7]
__global__ void __launch_bounds__(256) transpose_v7_wide(const float* in, int rows, int columns, float* out) {
    constexpr int squares = kTile / 4;  // in a row of the tile, and in a column
    __shared__ float4 tile[kTile][squares];
    const int first_row = blockIdx.x * kTile, first_column = blockIdx.y * kTile;
    const int x = threadIdx.x % squares, y = threadIdx.x / squares;
    float4 row[4] = {};
    if (first_row + 4 * y < rows && first_column + 4 * x < columns) {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int at = (first_row + 4 * y + k) * columns + first_column + 4 * x;
            row[k] = *reinterpret_cast<const float4*>(in + at);
        }
    }
    // Eight lanes store at the same time, each to a different group of four banks.
    const int place = y ^ (x % 8);
    tile[4 * x + 0][place] = {row[0].x, row[1].x, row[2].x, row[3].x};
    tile[4 * x + 1][place] = {row[0].y, row[1].y, row[2].y, row[3].y};
    tile[4 * x + 2][place] = {row[0].z, row[1].z, row[2].z, row[3].z};
    tile[4 * x + 3][place] = {row[0].w, row[1].w, row[2].w, row[3].w};
    __syncthreads();  // all stores to the tile precede all reads of it
#pragma unroll
    for (int j = 0; j < kTile; j += 256 / squares) {
        const int out_row = first_column + y + j, piece = x;
        if (out_row < columns && first_row + 4 * piece < rows)
            *reinterpret_cast<float4*>(out + out_row * rows + first_row + 4 * piece) =
                tile[y + j][piece ^ ((y + j) / 4 % 8)];
    }
}
// [/v7]

inline void wide(const float* in, int rows, int columns, float* out) {
    dim3 grid(kit::ceil_div(rows, kTile), kit::ceil_div(columns, kTile));
    transpose_v7_wide<<<grid, 256>>>(in, rows, columns, out);
    CUDA_CHECK_LAUNCH();
}

/// Needs n * kBytesEach bytes of dynamic shared memory, for three arrays of n elements.
// [arrays]
constexpr int kBytesEach = sizeof(double) + sizeof(float) + sizeof(unsigned char);

__global__ void three_arrays(const float* in, int n, double* out) {
    extern __shared__ __align__(16) unsigned char room[];
    double* sums = reinterpret_cast<double*>(room);      // multiples of 8
    float* values = reinterpret_cast<float*>(sums + n);  // begins after n doubles: a multiple of 8
    unsigned char* used = reinterpret_cast<unsigned char*>(values + n);
    const int t = threadIdx.x;
    if (t < n) {
        values[t] = in[t];
        used[t] = in[t] > 0;
    }
    __syncwarp();  // all values are there before a neighbour reads them
    if (t < n) {
        sums[t] = used[t] ? double{values[t]} + values[(t + 1) % n] : 0;
        out[t] = sums[t];
    }
}
// [/arrays]

// [carveout]
inline void run_three_arrays(const float* in, int n, double* out) {
    // A hint: a quarter of the memory as shared memory, rounded up to a size of the hardware, and the rest as L1.
    CUDA_CHECK(cudaFuncSetAttribute(three_arrays, cudaFuncAttributePreferredSharedMemoryCarveout, 25));
    three_arrays<<<1, 32, n * kBytesEach>>>(in, n, out);  // one warp, and n is at most 32
    CUDA_CHECK_LAUNCH();
}
// [/carveout]

}  // namespace shared_memory_demo

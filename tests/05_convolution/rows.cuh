// Given to the fast exercises of topic 05: loads and stores of four neighbours, and groups of rows that are copied from global to
// shared memory. Elements outside of the image count as 0.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "kit.cuh"

namespace convolution {

/// Loads four elements from an address that is a multiple of 16 bytes.
__device__ inline float4 read4(const float* address) {
    return *reinterpret_cast<const float4*>(address);
}

/// Stores four elements to an address that is a multiple of 16 bytes.
__device__ inline void write4(float* address, float4 four) {
    *reinterpret_cast<float4*>(address) = four;
}

/// Returns the elements x .. x + 3 of a row with `columns` elements, with zeros outside. x is a multiple of 4 and can be negative.
/// ALIGNED: the row starts at a multiple of 16 bytes and `columns` is a multiple of 4, so either all four exist or none.
template <bool ALIGNED>
__device__ float4 load4(const float* row, int x, int columns) {
    float4 four = {0, 0, 0, 0};
    if (x < 0 || x >= columns) return four;
    if (ALIGNED) return read4(row + x);
    four.x = row[x];
    if (x + 1 < columns) four.y = row[x + 1];
    if (x + 2 < columns) four.z = row[x + 2];
    if (x + 3 < columns) four.w = row[x + 3];
    return four;
}

/// Stores those of the four elements that the row has.
template <bool ALIGNED>
__device__ void store4(float* row, int x, int columns, float4 four) {
    if (x >= columns) return;
    if (ALIGNED) return write4(row + x, four);
    row[x] = four.x;
    if (x + 1 < columns) row[x + 1] = four.y;
    if (x + 2 < columns) row[x + 2] = four.z;
    if (x + 3 < columns) row[x + 3] = four.w;
}

/// Threads of a block that processes a strip from top to bottom.
constexpr int kStripThreads = 128;

/// GROUP rows of a strip of kStripThreads * OUT columns with HALO columns on either side, in the registers of a
/// block. load() starts the loads; store() waits for them and stores them to a tile in shared memory.
template <int OUT, int HALO, int GROUP, bool ALIGNED>
struct Rows {
    static constexpr int kColumns = kStripThreads * OUT;
    static constexpr int kPitch = kColumns + 2 * HALO;  ///< elements of a row of the tile
    static constexpr int kMain = OUT / 4;               ///< float4 per thread and row
    static constexpr int kSide = HALO / 4;              ///< float4 on one side of a row
    static constexpr int kSides = 2 * kSide * GROUP;    ///< float4 on the sides of all rows
    static_assert(OUT % 4 == 0 && HALO % 4 == 0, "whole float4");
    static_assert(kSides <= kStripThreads, "one load per thread brings the halos of the group");

    float4 main[GROUP][kMain];
    float4 side = {0, 0, 0, 0};

    /// Loads the rows y .. y + GROUP - 1. Column x is the first column of the strip.
    __device__ void load(const float* in, int rows, int columns, int x, int y) {
        int t = threadIdx.x;
        int side_row = t / (2 * kSide);
        int side_x = x + side_column() - HALO;
        bool inside = x >= HALO && x + kColumns + HALO <= columns && y >= 0 && y + GROUP <= rows;
        if (ALIGNED && inside) {  // the usual case needs no comparison per load
            const float* from = in + static_cast<std::size_t>(y) * columns;
            if (t < kSides) side = read4(from + static_cast<std::size_t>(side_row) * columns + side_x);
#pragma unroll
            for (int g = 0; g < GROUP; ++g) {
#pragma unroll
                for (int c = 0; c < kMain; ++c) main[g][c] = read4(from + x + (c * kStripThreads + t) * 4);
                from += columns;
            }
            return;
        }
#pragma unroll
        for (int g = 0; g < GROUP; ++g) {
#pragma unroll
            for (int c = 0; c < kMain; ++c)
                main[g][c] = load_row(in, rows, columns, y + g, x + (c * kStripThreads + t) * 4);
        }
        if (t < kSides) side = load_row(in, rows, columns, y + side_row, side_x);
    }

    /// Stores to GROUP rows of kPitch elements. Element HALO of a row is the strip's first column.
    __device__ void store(float (*tile)[kPitch]) const {
        int t = threadIdx.x;
#pragma unroll
        for (int g = 0; g < GROUP; ++g) {
#pragma unroll
            for (int c = 0; c < kMain; ++c) write4(&tile[g][HALO + (c * kStripThreads + t) * 4], main[g][c]);
        }
        if (t < kSides) write4(&tile[t / (2 * kSide)][side_column()], side);
    }

  private:
    /// Returns the position, in its row of the tile, of this thread's part of the halo.
    __device__ static int side_column() {
        int s = threadIdx.x % (2 * kSide);
        return s < kSide ? s * 4 : kColumns + s * 4;
    }
    __device__ static float4 load_row(const float* in, int rows, int columns, int y, int x) {
        if (y < 0 || y >= rows) return {0, 0, 0, 0};
        return load4<ALIGNED>(in + static_cast<std::size_t>(y) * columns, x, columns);
    }
};

/// Division of an image into strips of `strip` rows, so that all blocks fit on the GPU at the same time and finish
/// together. A block also reads the rows above its strip, so a strip must not be too short.
struct Strips {
    int strip;
    dim3 grid;
};

/// Returns the plan for `kernel`, whose blocks have kStripThreads threads and a strip of `strip_columns` columns each.
template <class Kernel>
Strips plan_strips(Kernel kernel, int rows, int columns, int strip_columns) {
    constexpr int shortest = 8;
    int device = 0, multiprocessors = 0, blocks = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kStripThreads, 0));
    const int across = kit::ceil_div(columns, strip_columns);
    const int down = std::max(1, blocks * multiprocessors / across);
    const int strip = std::max(shortest, kit::ceil_div(rows, down));
    return {strip, dim3(across, kit::ceil_div(rows, strip))};
}

}  // namespace convolution

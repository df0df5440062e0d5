// The product in floats with tile shapes as parameters, for the demo: v4 with deeper stages, and operands loaded one step ahead.
#pragma once

#include <cuda_pipeline.h>

#include <cstddef>

#include "20_matrix_product/20_matrix_product.hpp"
#include "kit.cuh"

namespace {

using matrix_product::Sizes;

/// Shape of the tiles. A block computes Rows x Columns elements of C in steps of Depth, a warp WarpRows x WarpColumns of them, and a thread
/// OwnRows x OwnColumns, in pieces of 4 x 4.
template <int Rows, int Columns, int Depth, int WarpRows, int WarpColumns, int OwnRows, int OwnColumns,
          int Stages, int Blocks>
struct TileShape {
    static constexpr int rows = Rows, columns = Columns, depth = Depth, warp_rows = WarpRows,
                         warp_columns = WarpColumns, own_rows = OwnRows, own_columns = OwnColumns;
    static constexpr int stages = Stages;
    static constexpr int blocks = Blocks;  ///< blocks that a multiprocessor must be able to hold
    static constexpr int warps_across = Columns / WarpColumns;
    static constexpr int threads = Rows / WarpRows * warps_across * 32;
    static constexpr int lanes_down = WarpRows / OwnRows, lanes_across = WarpColumns / OwnColumns;
    static constexpr int length = Rows + 4;  ///< length of a row of the transposed tile of A
    static constexpr int bytes = Stages * Depth * (length + Columns) * 4;
    static_assert(lanes_down * lanes_across == 32 && (lanes_down == 8 || lanes_down == 4),
                  "the lanes of a warp are 8 x 4 or 4 x 8");
    static_assert(Rows * 8 % threads == 0 && Depth % 8 == 0 && threads % 8 == 0,
                  "all threads copy the same number of elements of A, in groups of 8 along k");
    static_assert(Depth * Columns / 4 % threads == 0 && threads % (Columns / 4) == 0,
                  "all threads copy the same number of groups of B");
};

/// The shapes of the demo: for large matrices, and for small ones.
using LargeTile = TileShape<128, 128, 32, 64, 32, 8, 8, 2, 2>;
using SmallTile = TileShape<64, 64, 8, 32, 32, 8, 4, 3, 4>;

/// Several products of equal sizes in one launch: distances in elements from one to the next.
struct Batch {
    int count = 1;
    std::size_t a = 0, b = 0, c = 0;
};

/// Rows of tiles that blocks with consecutive numbers walk together, so that they share rows of A and columns of B in L2.
constexpr int kGroup = 8;

// Like v4, with 32 elements of k per stage, and operands in registers one step ahead.
// Mapping : blockIdx.y selects a product of the batch; a block computes one tile.
// Cost    : as v4, but a quarter of the barriers. Only the copies of a ragged last tile of k have checks: a copy outside of the rows of A or
//           the columns of B reads the last row or the last columns instead, and C does not have the elements that depend on it.
// Requires: a, b and c begin at multiples of 16 bytes; the leading dimensions are multiples of 4, and each row of B has ldb elements.
template <class T>
__global__ void __launch_bounds__(T::threads, T::blocks)
    product_tuned(Sizes sizes, const float* __restrict__ a, int lda, const float* __restrict__ b, int ldb,
                  float* __restrict__ c, int ldc, Batch batch) {
    extern __shared__ float4 storage[];
    float* const a_stages = reinterpret_cast<float*>(storage);
    float* const b_stages = a_stages + T::stages * T::depth * T::length;
    a += blockIdx.y * batch.a, b += blockIdx.y * batch.b, c += blockIdx.y * batch.c;

    const int high = kit::ceil_div(sizes.m, T::rows), wide = kit::ceil_div(sizes.n, T::columns);
    const int block = blockIdx.x, group = block / (kGroup * wide), place = block % (kGroup * wide);
    const int rows_here = min(high - group * kGroup, kGroup);
    const int first_row = (group * kGroup + place % rows_here) * T::rows;
    const int first_column = place / rows_here * T::columns;

    // Lanes 2 i and 2 i + 1 load the same values of A, and lanes i and i + 2 the same values of B.
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    const int bit2 = lane >> 2 & 1, bit3 = lane >> 3 & 1, bit4 = lane >> 4;
    const int across = (lane & 1) | bit2 << 1 | (T::lanes_down == 4 ? bit4 << 2 : 0);
    const int down = (lane >> 1 & 1) | bit3 << 1 | (T::lanes_down == 8 ? bit4 << 2 : 0);
    const int own_row = warp / T::warps_across * T::warp_rows + 4 * down;
    const int own_column = warp % T::warps_across * T::warp_columns + 4 * across;

    constexpr int a_step = T::threads / 8, a_rows = T::rows / a_step;
    constexpr int b_step = T::threads / (T::columns / 4), b_copies = T::depth / b_step;
    const int a_i = thread % 8, a_row = thread / 8;
    const int b_i = thread / (T::columns / 4), b_column = thread % (T::columns / 4) * 4;
    const float* a_from[a_rows];
#pragma unroll
    for (int j = 0; j < a_rows; ++j)
        a_from[j] =
            a + static_cast<std::size_t>(min(first_row + a_row + j * a_step, sizes.m - 1)) * lda + a_i;
    const float* b_from =
        b + static_cast<std::size_t>(b_i) * ldb + min(first_column + b_column, (sizes.n - 1) / 4 * 4);

    const auto begin_copies = [&](int stage, int left) {  // `left` elements of k are left
        float* const a_to = a_stages + (stage * T::depth + a_i) * T::length + a_row;
        float* const b_to = b_stages + (stage * T::depth + b_i) * T::columns + b_column;
        if (left >= T::depth) {
#pragma unroll
            for (int i = 0; i < T::depth; i += 8)
#pragma unroll
                for (int j = 0; j < a_rows; ++j)
                    __pipeline_memcpy_async(a_to + i * T::length + j * a_step, a_from[j] + i, 4);
#pragma unroll
            for (int j = 0; j < b_copies; ++j) {
                __pipeline_memcpy_async(b_to + j * b_step * T::columns, b_from, 16);
                b_from += static_cast<std::size_t>(b_step) * ldb;
            }
        } else {
#pragma unroll 1
            for (int i = 0; i < T::depth; i += 8)
#pragma unroll
                for (int j = 0; j < a_rows; ++j)
                    __pipeline_memcpy_async(a_to + i * T::length + j * a_step,
                                            a_i + i < left ? a_from[j] + i : a, 4, a_i + i < left ? 0 : 4);
#pragma unroll 1
            for (int j = 0; j < b_copies; ++j) {
                const bool exists = b_i + j * b_step < left;
                __pipeline_memcpy_async(b_to + j * b_step * T::columns, exists ? b_from : b, 16,
                                        exists ? 0 : 16);
                b_from += static_cast<std::size_t>(b_step) * ldb;
            }
        }
#pragma unroll
        for (int j = 0; j < a_rows; ++j) a_from[j] += T::depth;
    };

    float sums[T::own_rows][T::own_columns] = {};
    float from_a[2][T::own_rows], from_b[2][T::own_columns];
    const auto load = [&](int stage, int i, int buffer) {
        const float* const a_line = a_stages + (stage * T::depth + i) * T::length + own_row;
        const float* const b_line = b_stages + (stage * T::depth + i) * T::columns + own_column;
#pragma unroll
        for (int r = 0; r < T::own_rows; r += 4)
            *reinterpret_cast<float4*>(&from_a[buffer][r]) =
                *reinterpret_cast<const float4*>(a_line + r * T::lanes_down);
#pragma unroll
        for (int s = 0; s < T::own_columns; s += 4)
            *reinterpret_cast<float4*>(&from_b[buffer][s]) =
                *reinterpret_cast<const float4*>(b_line + s * T::lanes_across);
    };

    const int tiles = kit::ceil_div(sizes.k, T::depth);
#pragma unroll
    for (int tile = 0; tile < T::stages - 1; ++tile) {
        if (tile < tiles) begin_copies(tile, sizes.k - tile * T::depth);
        __pipeline_commit();
    }
    __pipeline_wait_prior(T::stages - 2);
    __syncthreads();  // the copies of the first tile have arrived, for all threads
    if (tiles > 0) load(0, 0, 0);
    int reading = 0, writing = T::stages - 1;
#pragma unroll 1
    for (int tile = 0; tile < tiles; ++tile) {
#pragma unroll
        for (int i = 0; i < T::depth; ++i) {
            if (i == T::depth - 1) {
                __pipeline_wait_prior(T::stages - 2);
                __syncthreads();  // the next tile has arrived, and all threads have loaded the last operands of this one
                if (tile + 1 < tiles) reading = reading + 1 == T::stages ? 0 : reading + 1;
            }
            load(reading, (i + 1) % T::depth, (i + 1) % 2);
            if (i == 0) {
                const int next = tile + T::stages - 1;
                if (next < tiles) begin_copies(writing, sizes.k - next * T::depth);
                __pipeline_commit();
                writing = writing + 1 == T::stages ? 0 : writing + 1;
            }
#pragma unroll
            for (int r = 0; r < T::own_rows; ++r)
#pragma unroll
                for (int s = 0; s < T::own_columns; ++s) {
                    const int column =
                        r % 2 ? T::own_columns - 1 - s : s;  // back and forth: operands are used again
                    sums[r][column] += from_a[i % 2][r] * from_b[i % 2][column];
                }
        }
    }

#pragma unroll
    for (int r = 0; r < T::own_rows; ++r) {
        const int row = first_row + own_row + r % 4 + r / 4 * 4 * T::lanes_down;
        if (row >= sizes.m) continue;
#pragma unroll
        for (int s = 0; s < T::own_columns; s += 4) {
            const int column = first_column + own_column + s * T::lanes_across;
            float* const to = c + static_cast<std::size_t>(row) * ldc + column;
            if (column + 4 <= sizes.n) {
                *reinterpret_cast<float4*>(to) =
                    make_float4(sums[r][s], sums[r][s + 1], sums[r][s + 2], sums[r][s + 3]);
            } else {
#pragma unroll
                for (int l = 0; l < 4; ++l)
                    if (column + l < sizes.n) to[l] = sums[r][s + l];
            }
        }
    }
}

/// Computes one product, or a batch of them, with tiles of the shape T.
template <class T>
void tuned(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c, int ldc,
           const Batch& batch = {}) {
    const auto kernel = product_tuned<T>;
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, T::bytes));
    const dim3 grid(kit::ceil_div(sizes.m, T::rows) * kit::ceil_div(sizes.n, T::columns), batch.count);
    kernel<<<grid, T::threads, T::bytes>>>(sizes, a, lda, b, ldb, c, ldc, batch);
    CUDA_CHECK_LAUNCH();
}

inline void tuned_large(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c, int ldc) {
    tuned<LargeTile>(sizes, a, lda, b, ldb, c, ldc);
}

// Adds the parts of a split-k product.
// Mapping : one thread per element of C.
__global__ void add_parts(const float* parts, int count, std::size_t elements, float* c) {
    const std::size_t e = std::size_t{blockIdx.x} * 256 + threadIdx.x;
    if (e >= elements) return;
    float sum = 0;
    for (int part = 0; part < count; ++part) sum += parts[part * elements + e];
    c[e] = sum;
}

/// Computes C = A B with `parts` blocks for each tile: a batch of products over parts of k, and a second kernel that adds them. k is a multiple of
/// 4 * parts, and C is not padded. `scratch` has room for `parts` matrices like C.
inline void split_k(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c, int parts,
                    float* scratch) {
    const int part = sizes.k / parts;
    const std::size_t elements = static_cast<std::size_t>(sizes.m) * sizes.n;
    tuned<LargeTile>({sizes.m, sizes.n, part}, a, lda, b, ldb, scratch, sizes.n,
                     {parts, static_cast<std::size_t>(part), static_cast<std::size_t>(part) * ldb, elements});
    add_parts<<<static_cast<unsigned int>(kit::ceil_div(elements, std::size_t{256})), 256>>>(scratch, parts,
                                                                                             elements, c);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

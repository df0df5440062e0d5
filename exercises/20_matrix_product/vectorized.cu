// 20_matrix_product/vectorized: 16-byte loads, and copies during the products.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests vectorized.cu
//        ../../tests/20_matrix_product/vectorized_test.cu -o vectorized
// Run:   ./vectorized
//
//   v4  product_v4_vectorized  like v3, but with 16-byte loads, a transposed tile of A, and two stages of asynchronous copies

#include <cuda_pipeline.h>

#include "20_matrix_product/20_matrix_product.hpp"
#include "kit.cuh"

namespace matrix_product {

// A block has 4 x 2 warps, and a warp has 8 x 4 lanes. A thread computes 8 x 8 elements, in four pieces of 4 x 4.
constexpr int kThreads = 256;
constexpr int kWarpRows = 64, kWarpColumns = 32;         // elements of C that a warp computes
constexpr int kLanesDown = 8, kLanesAcross = 4;          // lanes of a warp
constexpr int kRows = 8, kColumns = 8;                   // elements of C that a thread computes
constexpr int kLength = kBlockTile + 4;                  // length of a row of the transposed tile of A
constexpr int kWarpsAcross = kBlockTile / kWarpColumns;  // warps of a block

static_assert(kLanesDown * kRows == kWarpRows && kLanesAcross * kColumns == kWarpColumns,
              "the lanes of a warp cover its elements exactly once");
static_assert(kThreads == kDepth * kBlockTile / 4, "one copy of 16 bytes per thread covers the tile of B");

/// One tile of A and one of B. Both have a row for each of the kDepth steps, so that a thread loads neighbours.
struct Stage {
    float a[kDepth][kLength];     // transposed: element (row, i) of the tile is a[i][row]
    float b[kDepth][kBlockTile];  // element (i, column) of the tile is b[i][column]
};

/// Starts to copy this thread's part of the tile of A whose first column is `first`.
// [copy_a]
__device__ void begin_a(Stage& stage, Sizes sizes, const float* a, int lda, int first_row, int first) {
    // TODO(1): Copy 4 elements of A with __pipeline_memcpy_async(to, from, 4, zeros), each to its place in the transposed tile. Eight
    // neighbouring threads copy eight neighbours of a row. With zeros = 4, the copy stores a 0 and reads nothing. About 8 lines.
    KIT_TODO(1, stage, sizes, a, lda, first_row, first);
}
// [/copy_a]

/// Starts to copy this thread's part of the tile of B whose first row is `first`.
// [copy_b]
__device__ void begin_b(Stage& stage, Sizes sizes, const float* b, int ldb, int first_column, int first) {
    // TODO(2): Copy 4 neighbours of a row of B with one copy of 16 bytes. Its last argument is the number of bytes at the end that become
    // 0. How many of the 4 elements exist? About 5 lines.
    KIT_TODO(2, stage, sizes, b, ldb, first_column, first);
}
// [/copy_b]

/// Loads 4 neighbours with one load, and stores 4 neighbours with one store (given).
__device__ void load_four(float* to, const float* from) {
    float4 four = *reinterpret_cast<const float4*>(from);
    to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
}
__device__ void store_four(float* to, const float* from) {
    *reinterpret_cast<float4*>(to) = make_float4(from[0], from[1], from[2], from[3]);
}

/// Adds the products of one stage to the sums of this thread. Its rows begin at `own_row` and `own_row + 32`, four neighbours each, and its
/// columns at `own_column` and `own_column + 16`.
// [products]
__device__ void add_products(const Stage& stage, int own_row, int own_column,
                             float (&sums)[kRows][kColumns]) {
    // TODO(3): For each of the kDepth steps, load 8 values of A and 8 of B with load_four, and add the 64 products. About 9 lines.
    KIT_TODO(3, stage, own_row, own_column, sums);
}
// [/products]

// v4: like v3, but 4 values per load, and the next tiles are in flight during the products.
// Mapping : a block computes 128 x 128 elements; a warp 64 x 32 of them; a thread 4 x 4 pieces, so that lanes load neighbours.
// Cost    : 4 loads of 16 bytes for 64 multiplications; 1 barrier per tile; 128 registers for 2 blocks per multiprocessor.
// Requires: a, b and c begin at multiples of 16 bytes; the leading dimensions are multiples of 4.
// Next    : tensor cores; see v5.
// [v4]
__global__ void __launch_bounds__(kThreads, 2)
    product_v4_vectorized(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c, int ldc) {
    __shared__ alignas(16) Stage stages[2];
    int first_row = blockIdx.y * kBlockTile, first_column = blockIdx.x * kBlockTile;
    // Lanes 2 i and 2 i + 1 load the same values of A, and lanes i and i + 2 the same values of B (section 6 of the lecture).
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int across = (lane & 1) | (lane >> 1 & 2), down = (lane >> 1 & 1) | (lane >> 2 & 6);
    int own_row = warp / kWarpsAcross * kWarpRows + 4 * down;
    int own_column = warp % kWarpsAcross * kWarpColumns + 4 * across;
    float sums[kRows][kColumns] = {};

    // TODO(4): Begin the copies of the first tile. For each tile: wait for it, begin the copies of the next one into the other stage,
    // and add the products of this one. Use __pipeline_commit(), __pipeline_wait_prior(0) and one barrier. About 16 lines.
    KIT_TODO(4, sizes, a, lda, b, ldb, first_row, first_column, stages, own_row, own_column, sums);

    // TODO(5): Store the sums, 4 neighbours with store_four if C has all of them, and one by one otherwise. Row i of the thread is
    // own_row + i % 4 + i / 4 * 32. About 15 lines.
    KIT_TODO(5, sizes, c, ldc, first_row, first_column, own_row, own_column, sums);
}
// [/v4]

void vectorized(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c, int ldc) {
    if (sizes.m == 0 || sizes.n == 0) return;
    dim3 grid(kit::ceil_div(sizes.n, kBlockTile), kit::ceil_div(sizes.m, kBlockTile));
    product_v4_vectorized<<<grid, kThreads>>>(sizes, a, lda, b, ldb, c, ldc);
    CUDA_CHECK_LAUNCH();
}

}  // namespace matrix_product

// 20_matrix_product/tensor_tile: tiles on tensor cores: half, bfloat16, tf32.
//
// Build: nvcc -std=c++17 -arch=sm_80 -I../../common -I../../tests tensor_tile.cu
//        ../../tests/20_matrix_product/tensor_tile_test.cu -o tensor_tile
// Run:   ./tensor_tile
//
//   v5  product_v5_tensor  like v2, but a warp multiplies 16 x 16 pieces of the tiles on tensor cores

#include <mma.h>

#include <type_traits>

#include "20_matrix_product/20_matrix_product.hpp"
#include "kit.cuh"

namespace matrix_product {

namespace wmma = nvcuda::wmma;

constexpr int kSide = 64;               // rows and columns of C that a block computes
constexpr int kTileDepth = 32;          // elements of k that a block processes together
constexpr int kQuarter = 32;            // rows and columns of C that a warp computes
constexpr int kPieces = kQuarter / 16;  // 16 x 16 pieces in a row or a column of this quarter
constexpr int kThreads = kSide / kQuarter * (kSide / kQuarter) * 32;

/// Elements between the end of a row of a tile and the next row: 16 bytes, so that rows start in different banks.
template <class T>
constexpr int kPadding = 16 / sizeof(T);

/// Copies the part of a matrix that starts at (row0, column0) to a tile in shared memory. All threads of the block call it.
template <class T, int rows, int columns>
__device__ void fill_tile(T (&tile)[rows][columns + kPadding<T>], const T* matrix, int ld, int row0,
                          int column0, int row_count, int column_count) {
    static_assert(rows * columns % kThreads == 0, "each thread copies the same number of elements");
    // The number of steps is a constant, so the compiler unrolls the loop, and the loads of all steps are in flight together.
#pragma unroll
    for (int j = 0; j < rows * columns / kThreads; ++j) {
        int i = threadIdx.x + j * kThreads, row = i / columns, column = i % columns;
        // TODO(1): Store element (row0 + row, column0 + column) of the matrix to tile[row][column], or 0 if the matrix, which has
        // row_count rows and column_count columns, does not have this element. About 2 lines.
        KIT_TODO(1, tile, matrix, ld, row0, column0, row_count, column_count, row, column);
    }
}

/// Rounds the elements of a factor to the type of its fragment. Half and bfloat16 are stored as they are.
template <class Fragment>
__device__ void round_elements(Fragment& fragment) {
    if constexpr (std::is_same_v<typename Fragment::element_type, wmma::precision::tf32>) {
        // TODO(2): Round each element of the fragment with wmma::__float_to_tf32. 1 line.
        KIT_TODO(2, fragment);
    }
}

// v5: like v2, but the products of a tile run on tensor cores.
// Mapping : a block computes kSide x kSide elements of C, each of its four warps a quarter, as 2 x 2 fragments.
// Cost    : a fragment of A or B is loaded from shared memory for two products of 16 x 16 x depth.
// Requires: blockDim = kThreads; T is the type in memory, Element that of the fragments; depth is 8 for tf32 and otherwise 16.
// Next    : the tensor cores wait for the tiles and for the fragments; see v6.
// [v5]
template <class T, class Element, int depth>
__global__ void product_v5_tensor(Sizes sizes, const T* a, int lda, const T* b, int ldb, float* c, int ldc) {
    __shared__ __align__(32) T a_tile[kSide][kTileDepth + kPadding<T>];
    __shared__ __align__(32) T b_tile[kTileDepth][kSide + kPadding<T>];
    __shared__ __align__(32) float c_tile[kSide][kSide + kPadding<float>];
    int row0 = blockIdx.y * kSide, column0 = blockIdx.x * kSide;
    int warp = threadIdx.x / 32;
    int warp_row = warp / 2 * kQuarter, warp_column = warp % 2 * kQuarter;

    wmma::fragment<wmma::accumulator, 16, 16, depth, float> sums[kPieces][kPieces];
    // TODO(3): Set all elements of the sums to 0 with wmma::fill_fragment. 2 lines.
    KIT_TODO(3, sums);

    for (int k0 = 0; k0 < sizes.k; k0 += kTileDepth) {
        __syncthreads();  // all warps have loaded their fragments of the previous tiles
        fill_tile<T, kSide, kTileDepth>(a_tile, a, lda, row0, k0, sizes.m, sizes.k);
        fill_tile<T, kTileDepth, kSide>(b_tile, b, ldb, k0, column0, sizes.k, sizes.n);
        __syncthreads();  // both tiles are complete
        for (int step = 0; step < kTileDepth; step += depth) {
            wmma::fragment<wmma::matrix_a, 16, 16, depth, Element, wmma::row_major> rows[kPieces];
            wmma::fragment<wmma::matrix_b, 16, 16, depth, Element, wmma::row_major> columns[kPieces];
            // TODO(4): Load the fragments of this warp's quarter with wmma::load_matrix_sync: rows[i] starts at row warp_row + 16 * i
            // and column `step` of a_tile, columns[j] at row `step` of b_tile. Pass each to round_elements(). Then add the product
            // of each pair to sums[i][j] with wmma::mma_sync. About 8 lines.
            KIT_TODO(4, rows, columns, warp_row, warp_column);
        }
    }

    // TODO(5): Store the sums to c_tile with wmma::store_matrix_sync. When all warps have done this, store the elements that C has
    // to global memory: consecutive threads store neighbours of a row. About 9 lines.
    KIT_TODO(5, c, ldc, c_tile);
}
// [/v5]

/// Launches v5 for these types.
template <class T, class Element, int depth>
void launch(Sizes sizes, const T* a, int lda, const T* b, int ldb, float* c, int ldc) {
    if (sizes.m == 0 || sizes.n == 0) return;
    dim3 grid(kit::ceil_div(sizes.n, kSide), kit::ceil_div(sizes.m, kSide));
    product_v5_tensor<T, Element, depth><<<grid, kThreads>>>(sizes, a, lda, b, ldb, c, ldc);
    CUDA_CHECK_LAUNCH();
}

void tensor_half(Sizes sizes, const __half* a, int lda, const __half* b, int ldb, float* c, int ldc) {
    launch<__half, __half, 16>(sizes, a, lda, b, ldb, c, ldc);
}

void tensor_bfloat16(Sizes sizes, const __nv_bfloat16* a, int lda, const __nv_bfloat16* b, int ldb, float* c,
                     int ldc) {
    launch<__nv_bfloat16, __nv_bfloat16, 16>(sizes, a, lda, b, ldb, c, ldc);
}

void tensor_tf32(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c, int ldc) {
    launch<float, wmma::precision::tf32, 8>(sizes, a, lda, b, ldb, c, ldc);
}

}  // namespace matrix_product

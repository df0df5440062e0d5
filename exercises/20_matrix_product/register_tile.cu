// 20_matrix_product/register_tile: a piece of 8 x 8 elements per thread.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests register_tile.cu
//        ../../tests/20_matrix_product/register_tile_test.cu -o register_tile
// Run:   ./register_tile
//
//   v3  product_v3_registers  like v2, but each thread computes 8 x 8 elements, so that a loaded value is used 8 times

#include "20_matrix_product/20_matrix_product.hpp"
#include "kit.cuh"

namespace matrix_product {

constexpr int kSide = kBlockTile / kPiece;  // threads of a block in each direction: 16

// v3: like v2, but a thread loads 8 values of A and 8 of B from shared memory, and computes all 64 products.
// Mapping : a block computes 128 x 128 elements of C; thread (x, y) has the rows y + 16 i and the columns x + 16 j.
// Cost    : 16 loads of shared memory for 64 multiplications: 1/4 per multiplication, instead of 2. About 100 registers.
// Requires: blockDim = (kSide, kSide).
// Next    : one load instruction per value, and copies that wait; see v4.
// [v3]
__global__ void __launch_bounds__(kSide* kSide)
    product_v3_registers(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c, int ldc) {
    __shared__ float a_tile[kBlockTile][kDepth];
    __shared__ float b_tile[kDepth][kBlockTile];
    int x = threadIdx.x, y = threadIdx.y, thread = y * kSide + x;
    int first_row = blockIdx.y * kBlockTile, first_column = blockIdx.x * kBlockTile;
    float sums[kPiece][kPiece] = {};
    for (int first = 0; first < sizes.k; first += kDepth) {
        // TODO(1): Copy both tiles, with 0 for elements that do not exist. The block has 256 threads and each tile has 1024 elements, so
        // thread t copies the elements t, t + 256, t + 512 and t + 768 of each tile, counted along its rows. About 9 lines.
        KIT_TODO(1, sizes, a, lda, b, ldb, first, thread, first_row, first_column, a_tile, b_tile);

        // TODO(2): For each of the kDepth columns of a_tile: load the 8 values of A for the rows y + kSide * i, and the 8 values of B for
        // the columns x + kSide * j, into arrays of the thread. Then add all 64 products to `sums`. Which barriers does this need? About 10 lines.
        KIT_TODO(2, x, y, sums, a_tile, b_tile);
    }

    // TODO(3): Store the elements of the piece that C has. About 6 lines.
    KIT_TODO(3, sizes, c, ldc, x, y, first_row, first_column, sums);
}
// [/v3]

void register_tile(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c, int ldc) {
    if (sizes.m == 0 || sizes.n == 0) return;
    dim3 grid(kit::ceil_div(sizes.n, kBlockTile), kit::ceil_div(sizes.m, kBlockTile));
    product_v3_registers<<<grid, dim3(kSide, kSide)>>>(sizes, a, lda, b, ldb, c, ldc);
    CUDA_CHECK_LAUNCH();
}

}  // namespace matrix_product

// 20_matrix_product/tiled: the same with tiles in shared memory, and any sizes.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests tiled.cu
//        ../../tests/20_matrix_product/tiled_test.cu -o tiled
// Run:   ./tiled
//
//   v2  product_v2_tiled  like v1, but the block loads each element once and its threads share it

#include "20_matrix_product/20_matrix_product.hpp"
#include "kit.cuh"

namespace matrix_product {

// v2: like v1, but the block copies a tile of A and a tile of B to shared memory, and multiplies the two, until k is covered.
// Mapping : a block computes kTile x kTile elements of C, one per thread; a warp computes 32 neighbours in a row.
// Cost    : kTile times fewer loads of global memory; 2 loads of shared memory for each multiplication; 2 barriers per tile.
// Requires: blockDim = (kTile, kTile).
// Next    : shared memory is now the limit; see v3.
// [v2]
__global__ void __launch_bounds__(kTile* kTile)
    product_v2_tiled(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c, int ldc) {
    __shared__ float a_tile[kTile][kTile];
    __shared__ float b_tile[kTile][kTile];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * kTile + y;
    int column = blockIdx.x * kTile + x;
    float sum = 0;
    for (int first = 0; first < sizes.k; first += kTile) {
        // TODO(1): Copy one element of A and one of B: columns `first` to first + kTile - 1 of A, and these rows of B. Store 0 for
        // an element that does not exist. About 4 lines.
        // BEGIN SOLUTION 1
        bool in_a = row < sizes.m && first + x < sizes.k;
        bool in_b = first + y < sizes.k && column < sizes.n;
        a_tile[y][x] = in_a ? a[row * lda + first + x] : 0;
        b_tile[y][x] = in_b ? b[(first + y) * ldb + column] : 0;
        // STARTER KIT_TODO(1, sizes, a, lda, b, ldb, first, x, y, row, column, a_tile, b_tile);
        // END SOLUTION 1

        // TODO(2): Add the kTile products of this step to `sum`. Which barriers does this need, if the next step overwrites both
        // tiles? About 3 lines.
        // BEGIN SOLUTION 2
        __syncthreads();  // all stores to the tiles precede all loads from them
        for (int i = 0; i < kTile; ++i) sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();  // all loads from the tiles precede the stores of the next step
        // STARTER KIT_TODO(2, sum, a_tile, b_tile);
        // END SOLUTION 2
    }

    // TODO(3): Store the sum, if C has this element. 1 line.
    // BEGIN SOLUTION 3
    if (row < sizes.m && column < sizes.n) c[row * ldc + column] = sum;
    // STARTER KIT_TODO(3, sizes, c, ldc, row, column, sum);
    // END SOLUTION 3
}
// [/v2]

void tiled(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c, int ldc) {
    if (sizes.m == 0 || sizes.n == 0) return;
    dim3 grid(kit::ceil_div(sizes.n, kTile), kit::ceil_div(sizes.m, kTile));
    product_v2_tiled<<<grid, dim3(kTile, kTile)>>>(sizes, a, lda, b, ldb, c, ldc);
    CUDA_CHECK_LAUNCH();
}

}  // namespace matrix_product

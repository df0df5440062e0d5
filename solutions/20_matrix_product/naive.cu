// 20_matrix_product/naive: which index of the threads varies fastest.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests naive.cu
//        ../../tests/20_matrix_product/naive_test.cu -o naive
// Run:   ./naive
//
//   v0  product_v0_column  the lanes of a warp are in the same column of C (given)
//   v1  product_v1_row     like v0, but the lanes of a warp are in the same row of C

#include "20_matrix_product/20_matrix_product.hpp"
#include "kit.cuh"

namespace matrix_product {

constexpr int kLanes = 32;  // threads of a block in x: one warp
constexpr int kWarps = 8;   // threads of a block in y

// v0: one thread per element of C. threadIdx.x, which varies fastest, selects the row.
// Mapping : a warp computes 32 rows of one column.
// Cost    : in each step, the 32 lanes load from 32 rows of A, so from 32 sectors. All load the same element of B.
// Requires: blockDim = (kLanes, kWarps).
// Next    : exchange the roles of x and y; see v1.
// [v0]
__global__ void product_v0_column(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c,
                                  int ldc) {
    int row = blockIdx.x * kLanes + threadIdx.x;
    int column = blockIdx.y * kWarps + threadIdx.y;
    if (row >= sizes.m || column >= sizes.n) return;
    float sum = 0;
    for (int i = 0; i < sizes.k; ++i) sum += a[row * lda + i] * b[i * ldb + column];
    c[row * ldc + column] = sum;
}
// [/v0]

void lanes_down_a_column(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c, int ldc) {
    if (sizes.m == 0 || sizes.n == 0) return;
    dim3 grid(kit::ceil_div(sizes.m, kLanes), kit::ceil_div(sizes.n, kWarps));
    product_v0_column<<<grid, dim3(kLanes, kWarps)>>>(sizes, a, lda, b, ldb, c, ldc);
    CUDA_CHECK_LAUNCH();
}

// v1: like v0, but threadIdx.x selects the column.
// Mapping : a warp computes 32 columns of one row.
// Cost    : in each step, all lanes load the same element of A, and 32 neighbours of B: 1 + 4 sectors.
// Requires: blockDim = (kLanes, kWarps).
// Next    : each element is still loaded once per thread that uses it; see v2.
// [v1]
__global__ void product_v1_row(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c,
                               int ldc) {
    // TODO(1): Compute the row and the column of this thread, and return if C does not have this element. The 32 threads of a warp
    // must compute neighbours in one row of C. 3 lines.
    // BEGIN SOLUTION 1
    int row = blockIdx.y * kWarps + threadIdx.y;
    int column = blockIdx.x * kLanes + threadIdx.x;
    if (row >= sizes.m || column >= sizes.n) return;
    // STARTER int row = 0, column = 0;
    // STARTER KIT_TODO(1, sizes, row, column);
    // END SOLUTION 1

    // TODO(2): Sum the k products of this element in a register, and store the sum. 3 lines.
    // BEGIN SOLUTION 2
    float sum = 0;
    for (int i = 0; i < sizes.k; ++i) sum += a[row * lda + i] * b[i * ldb + column];
    c[row * ldc + column] = sum;
    // STARTER KIT_TODO(2, sizes, a, lda, b, ldb, c, ldc, row, column);
    // END SOLUTION 2
}
// [/v1]

void naive(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c, int ldc) {
    if (sizes.m == 0 || sizes.n == 0) return;
    // TODO(3): Launch enough blocks of kLanes x kWarps threads for all columns (x) and rows (y). 3 lines.
    // BEGIN SOLUTION 3
    dim3 grid(kit::ceil_div(sizes.n, kLanes), kit::ceil_div(sizes.m, kWarps));
    product_v1_row<<<grid, dim3(kLanes, kWarps)>>>(sizes, a, lda, b, ldb, c, ldc);
    CUDA_CHECK_LAUNCH();
    // STARTER KIT_TODO(3, sizes, a, lda, b, ldb, c, ldc, kLanes, kWarps);
    // END SOLUTION 3
}

}  // namespace matrix_product

// The contract of topic 20_matrix_product: what the exercises must provide and the tests call.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

/// Topic 20: the matrix product C = A B. Each exercise computes the same product with less traffic, or on other units.
///
/// C has m rows and n columns, and each of its elements is a sum of k products:
/// c(row, column) = sum over i of a(row, i) * b(i, column). So A is m x k and B is k x n. m, n and k can be any numbers of 0 or more,
/// in any ratio. If m or n is 0, nothing is launched. If k is 0, every element of C is 0.
///
/// All matrices are in device memory, row by row. The leading dimension of a matrix is the distance in elements between the beginnings
/// of two rows, at least the number of columns: element (row, column) of A is a[row * lda + column]. The elements between the last column
/// and the leading dimension exist in memory, but they do not belong to the matrix. A kernel can read them. They can have any value,
/// including NaN, so they must not influence the result. In C they must not be written. The number of rows times the leading dimension
/// is below 2^31.
///
/// An error of a launch ends the program (CUDA_CHECK_LAUNCH).
///
/// What is counted, besides the values (on the CPU backend):
///   - naive: kernels, sectors, stores
///   - tiled: kernels, loads, stores
///   - register_tile: kernels, loads, shared loads, stores
///   - vectorized: asynchronous, kernels, overlap, shared loads, stores, wavefronts
///   - tensor_tile: kernels, loads, stores, tensor cores
///   - tensor_pipeline: asynchronous, kernels, overlap, stores, tensor cores, wavefronts
///
/// What the host may compute: nothing.
namespace matrix_product {

/// Sizes of a product.
struct Sizes {
    int m;  ///< rows of A and C
    int n;  ///< columns of B and C
    int k;  ///< columns of A and rows of B
};

// ---- naive ----

/// Computes C = A B with one thread per element of C. The lanes of a warp are in one column, in consecutive rows. Correct and slow. Given.
///
/// @param sizes  m, n and k
/// @param a      m x k, not modified
/// @param lda    leading dimension of A, at least k
/// @param b      k x n, not modified
/// @param ldb    leading dimension of B, at least n
/// @param c      m x n; each element is written once, its contents before the call do not matter; does not overlap A and B
/// @param ldc    leading dimension of C, at least n
void lanes_down_a_column(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c, int ldc);

/// Computes C = A B with one thread per element of C, so that the accesses of a warp are coalesced: if the leading dimensions are
/// multiples of 8, at most 4 sectors for each 128 bytes that the lanes load or store. The parameters are those of lanes_down_a_column.
void naive(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c, int ldc);

// ---- tiled ----

/// Side of the tiles of `tiled` in the starter. Another shape is allowed, as long as what is counted stays within its limits.
constexpr int kTile = 32;

/// Computes C = A B with tiles in shared memory. If m, n and k are multiples of 32, the kernels load each element of A at most once for
/// every 32 columns of C, and each element of B at most once for every 32 rows. The parameters are those of lanes_down_a_column.
void tiled(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c, int ldc);

// ---- register_tile ----

/// Shape of the starters of `register_tile` and `vectorized`: a block computes kBlockTile x kBlockTile elements of C, in steps of kDepth
/// along k, and a thread computes kPiece x kPiece of them. Another shape is allowed, as long as what is counted stays within its limits.
constexpr int kBlockTile = 128;
constexpr int kDepth = 8;
constexpr int kPiece = 8;

/// Computes C = A B with several elements of C per thread. If m and n are multiples of 128 and k is a multiple of 8, the kernels load each
/// element of A at most once for every 128 columns of C, and each element of B at most once for every 128 rows. They execute at most 1/4
/// load of shared memory for each of the m * n * k multiplications. The parameters are those of lanes_down_a_column.
void register_tile(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c, int ldc);

// ---- vectorized ----

/// Computes C = A B. a, b and c begin at multiples of 16 bytes, and lda, ldb and ldc are multiples of 4. Asynchronous copies bring every
/// element of A and B to shared memory, and are in flight while the block multiplies the previous tile. If m and n are multiples of 128
/// and k is a multiple of 8, a thread executes at most 1/16 load of shared memory for each multiplication, and the loads have no bank
/// conflicts: at most 1 wavefront for each 128 bytes that the lanes load. The other parameters are those of lanes_down_a_column.
void vectorized(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c, int ldc);

// ---- tensor_tile ----

/// Computes C = A B on tensor cores. The factors are half, the products are exact, and the sums are floats: neither a sum nor an element
/// of C is rounded to half. An element of A is loaded at most once for each 64 columns of C, and an element of B at most once for each 64
/// rows.
///
/// @param sizes  m, n and k
/// @param a      m x k, not modified
/// @param lda    leading dimension of A, at least k
/// @param b      k x n, not modified
/// @param ldb    leading dimension of B, at least n
/// @param c      m x n; each element is written once, its contents before the call do not matter; does not overlap A and B
/// @param ldc    leading dimension of C, at least n
void tensor_half(Sizes sizes, const __half* a, int lda, const __half* b, int ldb, float* c, int ldc);

/// Does the same with factors of type bfloat16.
void tensor_bfloat16(Sizes sizes, const __nv_bfloat16* a, int lda, const __nv_bfloat16* b, int ldb, float* c,
                     int ldc);

/// Does the same with floats, each of which is rounded to the nearest tf32, ties away from zero. The products of the rounded factors are
/// exact.
void tensor_tf32(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c, int ldc);

// ---- tensor_pipeline ----

/// Computes the same as tensor_bfloat16, with copies and products at the same time.
///
/// **Asynchronous** means that the elements of A and B reach shared memory only by asynchronous copies. An element of A is copied at most
/// once for each 64 columns of C, and an element of B at most once for each 64 rows. **Overlap** means that a block copies at most 64
/// elements of k together, and that copies are in flight while it multiplies. **Wavefronts** means that the kernel's
/// accesses to shared memory have no bank conflicts.
///
/// @param sizes  m, n and k
/// @param a      m x k, not modified; aligned to 16 bytes
/// @param lda    leading dimension of A, at least k, a multiple of 8
/// @param b      k x n, not modified; aligned to 16 bytes
/// @param ldb    leading dimension of B, at least n, a multiple of 8
/// @param c      m x n; each element is written once, its contents before the call do not matter; aligned to 8 bytes; does not overlap A
///               and B
/// @param ldc    leading dimension of C, at least n, a multiple of 2
void tensor_pipeline(Sizes sizes, const __nv_bfloat16* a, int lda, const __nv_bfloat16* b, int ldb, float* c,
                     int ldc);

}  // namespace matrix_product

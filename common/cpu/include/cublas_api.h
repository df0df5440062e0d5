// cuBLAS on the CPU executor: handles, and functions of levels 1 to 3 for float and double, under their own
// names. NVIDIA's "cuBLAS" manual describes them: matrices are stored by columns, and operands are in device
// memory. src/blas/ implements them with the system's BLAS.
#pragma once

#ifndef KIT_BLAS
#error \
    "<cublas_v2.h> needs a BLAS, which was not there when the build was configured: apt-get install libopenblas-serial-dev, then run cmake --preset exercises again"
#endif

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <library_types.h>

#include <cstddef>

#define CUBLAS_API_H_  // programs test this name of NVIDIA's header

typedef cudaDataType cublasDataType_t;

#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VER_BUILD 0
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

typedef struct cublasContext* cublasHandle_t;

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum {
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1,
    CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2,
    CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
} cublasGemmAlgo_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73
} cublasComputeType_t;

extern "C" {

cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode);
/// Stores the mode, which changes no result: products are always computed in the type of the operands.
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, size_t bytes);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);

cublasStatus_t cublasSetVector(int n, int size, const void* x, int incx, void* y, int incy);
cublasStatus_t cublasGetVector(int n, int size, const void* x, int incx, void* y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void* a, int lda, void* b, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void* a, int lda, void* b, int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int size, const void* x, int incx, void* y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int size, const void* x, int incx, void* y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int size, const void* a, int lda, void* b, int ldb,
                                    cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int size, const void* a, int lda, void* b, int ldb,
                                    cudaStream_t stream);

/// Supports float and double. Other types return CUBLAS_STATUS_NOT_SUPPORTED.
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                            int n, int k, const void* alpha, const void* a, cudaDataType atype, int lda,
                            const void* b, cudaDataType btype, int ldb, const void* beta, void* c,
                            cudaDataType ctype, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm);

/// Declares the functions of levels 1 to 3 for one type `T`. The names of these functions begin with cublas
/// and the letter `L` (`l` in cublasIsamax).
#define KIT_BLAS_FUNCTIONS(L, l, T)                                                                          \
    cublasStatus_t cublasI##l##amax(cublasHandle_t handle, int n, const T* x, int incx, int* result);        \
    cublasStatus_t cublasI##l##amin(cublasHandle_t handle, int n, const T* x, int incx, int* result);        \
    cublasStatus_t cublas##L##copy(cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy);      \
    cublasStatus_t cublas##L##swap(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy);            \
    cublasStatus_t cublas##L##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int incx);            \
    cublasStatus_t cublas##L##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y, \
                                   int incy);                                                                \
    cublasStatus_t cublas##L##dot(cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy,  \
                                  T* result);                                                                \
    cublasStatus_t cublas##L##nrm2(cublasHandle_t handle, int n, const T* x, int incx, T* result);           \
    cublasStatus_t cublas##L##asum(cublasHandle_t handle, int n, const T* x, int incx, T* result);           \
    cublasStatus_t cublas##L##rot(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy, const T* c,  \
                                  const T* s);                                                               \
    cublasStatus_t cublas##L##rotg(cublasHandle_t handle, T* a, T* b, T* c, T* s);                           \
    cublasStatus_t cublas##L##rotm(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy,             \
                                   const T* param);                                                          \
    cublasStatus_t cublas##L##rotmg(cublasHandle_t handle, T* d1, T* d2, T* x1, const T* y1, T* param);      \
    cublasStatus_t cublas##L##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,             \
                                   const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta, \
                                   T* y, int incy);                                                          \
    cublasStatus_t cublas##L##gbmv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, int kl,     \
                                   int ku, const T* alpha, const T* a, int lda, const T* x, int incx,        \
                                   const T* beta, T* y, int incy);                                           \
    cublasStatus_t cublas##L##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx, \
                                  const T* y, int incy, T* a, int lda);                                      \
    cublasStatus_t cublas##L##symv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,      \
                                   const T* a, int lda, const T* x, int incx, const T* beta, T* y,           \
                                   int incy);                                                                \
    cublasStatus_t cublas##L##sbmv(cublasHandle_t handle, cublasFillMode_t uplo, int n, int k,               \
                                   const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta, \
                                   T* y, int incy);                                                          \
    cublasStatus_t cublas##L##spmv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,      \
                                   const T* ap, const T* x, int incx, const T* beta, T* y, int incy);        \
    cublasStatus_t cublas##L##syr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,       \
                                  const T* x, int incx, T* a, int lda);                                      \
    cublasStatus_t cublas##L##spr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,       \
                                  const T* x, int incx, T* ap);                                              \
    cublasStatus_t cublas##L##syr2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,      \
                                   const T* x, int incx, const T* y, int incy, T* a, int lda);               \
    cublasStatus_t cublas##L##spr2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,      \
                                   const T* x, int incx, const T* y, int incy, T* ap);                       \
    cublasStatus_t cublas##L##trmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,    \
                                   cublasDiagType_t diag, int n, const T* a, int lda, T* x, int incx);       \
    cublasStatus_t cublas##L##trsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,    \
                                   cublasDiagType_t diag, int n, const T* a, int lda, T* x, int incx);       \
    cublasStatus_t cublas##L##tbmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,    \
                                   cublasDiagType_t diag, int n, int k, const T* a, int lda, T* x,           \
                                   int incx);                                                                \
    cublasStatus_t cublas##L##tbsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,    \
                                   cublasDiagType_t diag, int n, int k, const T* a, int lda, T* x,           \
                                   int incx);                                                                \
    cublasStatus_t cublas##L##tpmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,    \
                                   cublasDiagType_t diag, int n, const T* ap, T* x, int incx);               \
    cublasStatus_t cublas##L##tpsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,    \
                                   cublasDiagType_t diag, int n, const T* ap, T* x, int incx);               \
    cublasStatus_t cublas##L##gemm(cublasHandle_t handle, cublasOperation_t transa,                          \
                                   cublasOperation_t transb, int m, int n, int k, const T* alpha,            \
                                   const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc);  \
    cublasStatus_t cublas##L##gemmStridedBatched(                                                            \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,      \
        const T* alpha, const T* a, int lda, long long stridea, const T* b, int ldb, long long strideb,      \
        const T* beta, T* c, int ldc, long long stridec, int batch);                                         \
    cublasStatus_t cublas##L##gemmBatched(cublasHandle_t handle, cublasOperation_t transa,                   \
                                          cublasOperation_t transb, int m, int n, int k, const T* alpha,     \
                                          const T* const a[], int lda, const T* const b[], int ldb,          \
                                          const T* beta, T* const c[], int ldc, int batch);                  \
    cublasStatus_t cublas##L##symm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,      \
                                   int m, int n, const T* alpha, const T* a, int lda, const T* b, int ldb,   \
                                   const T* beta, T* c, int ldc);                                            \
    cublasStatus_t cublas##L##syrk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,    \
                                   int n, int k, const T* alpha, const T* a, int lda, const T* beta, T* c,   \
                                   int ldc);                                                                 \
    cublasStatus_t cublas##L##syr2k(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,   \
                                    int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb,  \
                                    const T* beta, T* c, int ldc);                                           \
    cublasStatus_t cublas##L##trmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,      \
                                   cublasOperation_t trans, cublasDiagType_t diag, int m, int n,             \
                                   const T* alpha, const T* a, int lda, const T* b, int ldb, T* c, int ldc); \
    cublasStatus_t cublas##L##trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,      \
                                   cublasOperation_t trans, cublasDiagType_t diag, int m, int n,             \
                                   const T* alpha, const T* a, int lda, T* b, int ldb);                      \
    cublasStatus_t cublas##L##geam(cublasHandle_t handle, cublasOperation_t transa,                          \
                                   cublasOperation_t transb, int m, int n, const T* alpha, const T* a,       \
                                   int lda, const T* beta, const T* b, int ldb, T* c, int ldc);              \
    cublasStatus_t cublas##L##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T* a,   \
                                   int lda, const T* x, int incx, T* c, int ldc);
KIT_BLAS_FUNCTIONS(S, s, float)
KIT_BLAS_FUNCTIONS(D, d, double)
#undef KIT_BLAS_FUNCTIONS

}  // extern "C"

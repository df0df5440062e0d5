// cuBLAS functions of level 3: matrices and matrices.
#include <algorithm>
#include <cstring>

#include "call.hpp"
#include "fortran.hpp"
#include "letters.hpp"

using namespace kit::cpu;

namespace {

bool holds(int lda, int rows) {
    return lda >= std::max(1, rows);
}

/// A matrix as an operand. `rows` and `columns` are its size in memory, before transposition.
template <class T>
Pieces operand(cublasOperation_t operation, int rows, int columns, const T* a, int lda) {
    return operation == CUBLAS_OP_N ? matrix(rows, columns, a, lda) : matrix(columns, rows, a, lda);
}

/// Queues C = alpha * (product of a and b) + beta * C.
template <class T, class Compute>
cublasStatus_t times_matrix(BlasCall call, bool arguments, const T* alpha, Pieces a, Pieces b, const T* beta,
                            Pieces c, Compute compute) {
    return call.queue(arguments && alpha && beta,
                      [=, by_alpha = call.scalar(alpha), by_beta = call.scalar(beta)](Operands& operands) {
                          const T first = operands.value(by_alpha), second = operands.value(by_beta);
                          if (first != T{0}) {
                              operands.reads(a);
                              operands.reads(b);
                          }
                          if (second == T{0})
                              operands.writes(c);
                          else
                              operands.updates(c);
                          if (operands.ready()) compute(first, second);
                      });
}

template <class T>
struct Product {
    cublasOperation_t transa, transb;
    int m, n, k, lda, ldb, ldc;

    bool valid() const {
        return known(transa) && known(transb) && m >= 0 && n >= 0 && k >= 0 &&
               holds(lda, transa == CUBLAS_OP_N ? m : k) && holds(ldb, transb == CUBLAS_OP_N ? k : n) &&
               holds(ldc, m);
    }
    void compute(T alpha, const T* a, const T* b, T beta, T* c) const {
        const char ta = letter(transa), tb = letter(transb);
        Fortran<T>::gemm(&ta, &tb, &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc);
    }
    Pieces of_a(const T* a) const { return operand(transa, m, k, a, lda); }
    Pieces of_b(const T* b) const { return operand(transb, k, n, b, ldb); }
    Pieces of_c(const T* c) const { return matrix(m, n, c, ldc); }
};

template <class T>
cublasStatus_t gemm(BlasCall call, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
                    const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {
    const Product<T> product{transa, transb, m, n, k, lda, ldb, ldc};
    return times_matrix<T>(call, product.valid(), alpha, product.of_a(a), product.of_b(b), beta,
                           product.of_c(c),
                           [=](T first, T second) { product.compute(first, a, b, second, c); });
}

void append(Pieces& all, const Pieces& more) {
    all.insert(all.end(), more.begin(), more.end());
}

template <class T>
cublasStatus_t gemmStridedBatched(BlasCall call, cublasOperation_t transa, cublasOperation_t transb, int m,
                                  int n, int k, const T* alpha, const T* a, int lda, long long stridea,
                                  const T* b, int ldb, long long strideb, const T* beta, T* c, int ldc,
                                  long long stridec, int batch) {
    const Product<T> product{transa, transb, m, n, k, lda, ldb, ldc};
    Pieces all_a, all_b, all_c;
    for (int i = 0; product.valid() && i < batch; ++i) {
        append(all_a, product.of_a(a + i * stridea));
        append(all_b, product.of_b(b + i * strideb));
        append(all_c, product.of_c(c + i * stridec));
    }
    return times_matrix<T>(
        call, product.valid() && batch >= 0, alpha, all_a, all_b, beta, all_c, [=](T first, T second) {
            for (int i = 0; i < batch; ++i)
                product.compute(first, a + i * stridea, b + i * strideb, second, c + i * stridec);
        });
}

/// Reads the lists of pointers of a batched call, which are in device memory as well.
template <class T>
cublasStatus_t gemmBatched(BlasCall call, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                           int k, const T* alpha, const T* const* a, int lda, const T* const* b, int ldb,
                           const T* beta, T* const* c, int ldc, int batch) {
    const Product<T> product{transa, transb, m, n, k, lda, ldb, ldc};
    return call.queue(product.valid() && batch >= 0 && alpha && beta,
                      [=, by_alpha = call.scalar(alpha), by_beta = call.scalar(beta)](Operands& operands) {
                          const T first = operands.value(by_alpha), second = operands.value(by_beta);
                          operands.reads(vector(batch, a, 1));
                          operands.reads(vector(batch, b, 1));
                          operands.reads(vector(batch, c, 1));
                          for (int i = 0; operands.ready() && i < batch; ++i) {
                              operands.reads(product.of_a(a[i]));
                              operands.reads(product.of_b(b[i]));
                              if (second == T{0})
                                  operands.writes(product.of_c(c[i]));
                              else
                                  operands.updates(product.of_c(c[i]));
                              if (operands.ready()) product.compute(first, a[i], b[i], second, c[i]);
                          }
                      });
}

template <class T>
cublasStatus_t symm(BlasCall call, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n, const T* alpha,
                    const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {
    const int order = side == CUBLAS_SIDE_LEFT ? m : n;
    return times_matrix<T>(
        call, known(uplo) && m >= 0 && n >= 0 && holds(lda, order) && holds(ldb, m) && holds(ldc, m), alpha,
        triangle(uplo, order, a, lda), matrix(m, n, b, ldb), beta, matrix(m, n, c, ldc),
        [=](T first, T second) {
            const char s = letter(side), u = letter(uplo);
            Fortran<T>::symm(&s, &u, &m, &n, &first, a, &lda, b, &ldb, &second, c, &ldc);
        });
}

template <class T>
cublasStatus_t syrk(BlasCall call, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k,
                    const T* alpha, const T* a, int lda, const T* beta, T* c, int ldc) {
    return times_matrix<T>(call,
                           known(uplo) && known(trans) && n >= 0 && k >= 0 &&
                               holds(lda, trans == CUBLAS_OP_N ? n : k) && holds(ldc, n),
                           alpha, operand(trans, n, k, a, lda), {}, beta, triangle(uplo, n, c, ldc),
                           [=](T first, T second) {
                               const char u = letter(uplo), t = letter(trans);
                               Fortran<T>::syrk(&u, &t, &n, &k, &first, a, &lda, &second, c, &ldc);
                           });
}

template <class T>
cublasStatus_t syr2k(BlasCall call, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k,
                     const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {
    const int rows = trans == CUBLAS_OP_N ? n : k;
    return times_matrix<T>(call,
                           known(uplo) && known(trans) && n >= 0 && k >= 0 && holds(lda, rows) &&
                               holds(ldb, rows) && holds(ldc, n),
                           alpha, operand(trans, n, k, a, lda), operand(trans, n, k, b, ldb), beta,
                           triangle(uplo, n, c, ldc), [=](T first, T second) {
                               const char u = letter(uplo), t = letter(trans);
                               Fortran<T>::syr2k(&u, &t, &n, &k, &first, a, &lda, b, &ldb, &second, c, &ldc);
                           });
}

/// Queues a product with a triangular matrix. cuBLAS writes it to C, and Fortran's BLAS to B. `b` and `c` can
/// be the same matrix.
template <class T>
cublasStatus_t trmm(BlasCall call, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
                    cublasDiagType_t diag, int m, int n, const T* alpha, const T* a, int lda, const T* b,
                    int ldb, T* c, int ldc) {
    const int order = side == CUBLAS_SIDE_LEFT ? m : n;
    return call.queue(known(uplo) && known(trans) && m >= 0 && n >= 0 && holds(lda, order) && holds(ldb, m) &&
                          holds(ldc, m) && alpha,
                      [=, by_alpha = call.scalar(alpha)](Operands& operands) {
                          const T factor = operands.value(by_alpha);
                          operands.reads(triangle(uplo, order, a, lda));
                          operands.reads(matrix(m, n, b, ldb));
                          operands.writes(matrix(m, n, c, ldc));
                          if (!operands.ready()) return;
                          for (int j = 0; j < n; ++j)
                              std::memmove(c + static_cast<std::ptrdiff_t>(j) * ldc,
                                           b + static_cast<std::ptrdiff_t>(j) * ldb,
                                           static_cast<std::size_t>(m) * sizeof(T));
                          const char s = letter(side), u = letter(uplo), t = letter(trans), d = letter(diag);
                          Fortran<T>::trmm(&s, &u, &t, &d, &m, &n, &factor, a, &lda, c, &ldc);
                      });
}

template <class T>
cublasStatus_t trsm(BlasCall call, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
                    cublasDiagType_t diag, int m, int n, const T* alpha, const T* a, int lda, T* b, int ldb) {
    const int order = side == CUBLAS_SIDE_LEFT ? m : n;
    return call.queue(
        known(uplo) && known(trans) && m >= 0 && n >= 0 && holds(lda, order) && holds(ldb, m) && alpha,
        [=, by_alpha = call.scalar(alpha)](Operands& operands) {
            const T factor = operands.value(by_alpha);
            operands.reads(triangle(uplo, order, a, lda));
            operands.updates(matrix(m, n, b, ldb));
            if (!operands.ready()) return;
            const char s = letter(side), u = letter(uplo), t = letter(trans), d = letter(diag);
            Fortran<T>::trsm(&s, &u, &t, &d, &m, &n, &factor, a, &lda, b, &ldb);
        });
}

/// Queues C = alpha * A + beta * B, which the BLAS does not have. C can be A or B if that matrix is not
/// transposed.
template <class T>
cublasStatus_t geam(BlasCall call, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                    const T* alpha, const T* a, int lda, const T* beta, const T* b, int ldb, T* c, int ldc) {
    const bool plain_a = transa == CUBLAS_OP_N, plain_b = transb == CUBLAS_OP_N;
    return call.queue(known(transa) && known(transb) && m >= 0 && n >= 0 && holds(lda, plain_a ? m : n) &&
                          holds(ldb, plain_b ? m : n) && holds(ldc, m) && alpha && beta &&
                          (c != a || (plain_a && lda == ldc)) && (c != b || (plain_b && ldb == ldc)),
                      [=, by_alpha = call.scalar(alpha), by_beta = call.scalar(beta)](Operands& operands) {
                          const T first = operands.value(by_alpha), second = operands.value(by_beta);
                          if (first != T{0}) operands.reads(operand(transa, m, n, a, lda));
                          if (second != T{0}) operands.reads(operand(transb, m, n, b, ldb));
                          operands.writes(matrix(m, n, c, ldc));
                          if (!operands.ready()) return;
                          const auto at = [](const T* from, std::ptrdiff_t ld, bool plain, int i, int j) {
                              return plain ? from[i + j * ld] : from[j + i * ld];
                          };
                          for (int j = 0; j < n; ++j)
                              for (int i = 0; i < m; ++i) {
                                  T sum{0};
                                  if (first != T{0}) sum += first * at(a, lda, plain_a, i, j);
                                  if (second != T{0}) sum += second * at(b, ldb, plain_b, i, j);
                                  c[i + static_cast<std::ptrdiff_t>(j) * ldc] = sum;
                              }
                      });
}

/// Queues C = A * diag(x) or C = diag(x) * A, which the BLAS does not have.
template <class T>
cublasStatus_t dgmm(BlasCall call, cublasSideMode_t side, int m, int n, const T* a, int lda, const T* x,
                    int incx, T* c, int ldc) {
    const bool left = side == CUBLAS_SIDE_LEFT;
    const int length = left ? m : n;
    return call.queue(m >= 0 && n >= 0 && holds(lda, m) && holds(ldc, m), [=](Operands& operands) {
        operands.reads(matrix(m, n, a, lda));
        operands.reads(vector(length, x, incx == 0 ? 1 : incx));
        operands.writes(matrix(m, n, c, ldc));
        if (!operands.ready()) return;
        const std::ptrdiff_t step = incx, first = incx < 0 ? -step * (length - 1) : 0;
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i)
                c[i + static_cast<std::ptrdiff_t>(j) * ldc] =
                    a[i + static_cast<std::ptrdiff_t>(j) * lda] * x[first + (left ? i : j) * step];
    });
}

}  // namespace

#define KIT_BLAS_DEFINE(L, l, T)                                                                             \
    cublasStatus_t cublas##L##gemm(cublasHandle_t handle, cublasOperation_t transa,                          \
                                   cublasOperation_t transb, int m, int n, int k, const T* alpha,            \
                                   const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc) { \
        return gemm<T>(BlasCall(handle, "cublas" #L "gemm", KIT_CALLER), transa, transb, m, n, k, alpha, a,  \
                       lda, b, ldb, beta, c, ldc);                                                           \
    }                                                                                                        \
    cublasStatus_t cublas##L##gemmStridedBatched(                                                            \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,      \
        const T* alpha, const T* a, int lda, long long stridea, const T* b, int ldb, long long strideb,      \
        const T* beta, T* c, int ldc, long long stridec, int batch) {                                        \
        return gemmStridedBatched<T>(BlasCall(handle, "cublas" #L "gemmStridedBatched", KIT_CALLER), transa, \
                                     transb, m, n, k, alpha, a, lda, stridea, b, ldb, strideb, beta, c, ldc, \
                                     stridec, batch);                                                        \
    }                                                                                                        \
    cublasStatus_t cublas##L##gemmBatched(cublasHandle_t handle, cublasOperation_t transa,                   \
                                          cublasOperation_t transb, int m, int n, int k, const T* alpha,     \
                                          const T* const a[], int lda, const T* const b[], int ldb,          \
                                          const T* beta, T* const c[], int ldc, int batch) {                 \
        return gemmBatched<T>(BlasCall(handle, "cublas" #L "gemmBatched", KIT_CALLER), transa, transb, m, n, \
                              k, alpha, a, lda, b, ldb, beta, c, ldc, batch);                                \
    }                                                                                                        \
    cublasStatus_t cublas##L##symm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,      \
                                   int m, int n, const T* alpha, const T* a, int lda, const T* b, int ldb,   \
                                   const T* beta, T* c, int ldc) {                                           \
        return symm<T>(BlasCall(handle, "cublas" #L "symm", KIT_CALLER), side, uplo, m, n, alpha, a, lda, b, \
                       ldb, beta, c, ldc);                                                                   \
    }                                                                                                        \
    cublasStatus_t cublas##L##syrk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,    \
                                   int n, int k, const T* alpha, const T* a, int lda, const T* beta, T* c,   \
                                   int ldc) {                                                                \
        return syrk<T>(BlasCall(handle, "cublas" #L "syrk", KIT_CALLER), uplo, trans, n, k, alpha, a, lda,   \
                       beta, c, ldc);                                                                        \
    }                                                                                                        \
    cublasStatus_t cublas##L##syr2k(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,   \
                                    int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb,  \
                                    const T* beta, T* c, int ldc) {                                          \
        return syr2k<T>(BlasCall(handle, "cublas" #L "syr2k", KIT_CALLER), uplo, trans, n, k, alpha, a, lda, \
                        b, ldb, beta, c, ldc);                                                               \
    }                                                                                                        \
    cublasStatus_t cublas##L##trmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,      \
                                   cublasOperation_t trans, cublasDiagType_t diag, int m, int n,             \
                                   const T* alpha, const T* a, int lda, const T* b, int ldb, T* c,           \
                                   int ldc) {                                                                \
        return trmm<T>(BlasCall(handle, "cublas" #L "trmm", KIT_CALLER), side, uplo, trans, diag, m, n,      \
                       alpha, a, lda, b, ldb, c, ldc);                                                       \
    }                                                                                                        \
    cublasStatus_t cublas##L##trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,      \
                                   cublasOperation_t trans, cublasDiagType_t diag, int m, int n,             \
                                   const T* alpha, const T* a, int lda, T* b, int ldb) {                     \
        return trsm<T>(BlasCall(handle, "cublas" #L "trsm", KIT_CALLER), side, uplo, trans, diag, m, n,      \
                       alpha, a, lda, b, ldb);                                                               \
    }                                                                                                        \
    cublasStatus_t cublas##L##geam(cublasHandle_t handle, cublasOperation_t transa,                          \
                                   cublasOperation_t transb, int m, int n, const T* alpha, const T* a,       \
                                   int lda, const T* beta, const T* b, int ldb, T* c, int ldc) {             \
        return geam<T>(BlasCall(handle, "cublas" #L "geam", KIT_CALLER), transa, transb, m, n, alpha, a,     \
                       lda, beta, b, ldb, c, ldc);                                                           \
    }                                                                                                        \
    cublasStatus_t cublas##L##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T* a,   \
                                   int lda, const T* x, int incx, T* c, int ldc) {                           \
        return dgmm<T>(BlasCall(handle, "cublas" #L "dgmm", KIT_CALLER), side, m, n, a, lda, x, incx, c,     \
                       ldc);                                                                                 \
    }

KIT_BLAS_DEFINE(S, s, float)
KIT_BLAS_DEFINE(D, d, double)
#undef KIT_BLAS_DEFINE

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                            int n, int k, const void* alpha, const void* a, cudaDataType atype, int lda,
                            const void* b, cudaDataType btype, int ldb, const void* beta, void* c,
                            cudaDataType ctype, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t) {
    const BlasCall call(handle, "cublasGemmEx", KIT_CALLER);
    if (atype != btype || btype != ctype) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (atype == CUDA_R_32F && compute != CUBLAS_COMPUTE_64F)
        return gemm<float>(call, transa, transb, m, n, k, static_cast<const float*>(alpha),
                           static_cast<const float*>(a), lda, static_cast<const float*>(b), ldb,
                           static_cast<const float*>(beta), static_cast<float*>(c), ldc);
    if (atype == CUDA_R_64F && (compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC))
        return gemm<double>(call, transa, transb, m, n, k, static_cast<const double*>(alpha),
                            static_cast<const double*>(a), lda, static_cast<const double*>(b), ldb,
                            static_cast<const double*>(beta), static_cast<double*>(c), ldc);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

// cuBLAS functions of level 2: a matrix and a vector.
#include <algorithm>
#include <utility>

#include "call.hpp"
#include "fortran.hpp"
#include "letters.hpp"

using namespace kit::cpu;

namespace {

/// Declares y as an operand of the call: one that is written, and also read unless beta is zero.
template <class T>
void takes(Operands& operands, T beta, const Pieces& y) {
    if (beta == T{0})
        operands.writes(y);
    else
        operands.updates(y);
}

/// Queues y = alpha * A * x + beta * y for one way to store A: `a` returns the pieces of A, and `compute`
/// calls the BLAS.
template <class T, class Compute>
cublasStatus_t times_vector(BlasCall call, bool arguments, const T* alpha, Pieces a, Pieces x, const T* beta,
                            Pieces y, Compute compute) {
    return call.queue(arguments && alpha && beta,
                      [=, by_alpha = call.scalar(alpha), by_beta = call.scalar(beta)](Operands& operands) {
                          const T first = operands.value(by_alpha), second = operands.value(by_beta);
                          if (first != T{0}) {
                              operands.reads(a);
                              operands.reads(x);
                          }
                          takes(operands, second, y);
                          if (operands.ready()) compute(first, second);
                      });
}

/// Queues A += alpha * x * y^T and related updates. `y` is empty for an update with one vector.
template <class T, class Compute>
cublasStatus_t add_product(BlasCall call, bool arguments, const T* alpha, Pieces x, Pieces y, Pieces a,
                           Compute compute) {
    return call.queue(arguments && alpha, [=, by_alpha = call.scalar(alpha)](Operands& operands) {
        const T factor = operands.value(by_alpha);
        operands.reads(x);
        operands.reads(y);
        operands.updates(a);
        if (operands.ready()) compute(factor);
    });
}

/// Queues x = A * x or x = A^-1 * x with a triangular matrix A.
template <class T, class Compute>
cublasStatus_t transform(BlasCall call, bool arguments, Pieces a, int n, T* x, int incx, Compute compute) {
    return call.queue(arguments && n >= 0 && incx != 0, [=](Operands& operands) {
        operands.reads(a);
        operands.updates(vector(n, x, incx));
        if (operands.ready()) compute();
    });
}

/// Removes the diagonal of a unit triangle from its pieces, because it is not read. `columns` are the pieces
/// of triangle().
Pieces without_diagonal(Pieces columns, cublasFillMode_t uplo, cublasDiagType_t diagonal, std::size_t size) {
    if (diagonal != CUBLAS_DIAG_UNIT) return columns;
    Pieces rest;
    for (Piece column : columns) {
        column.width -= size;
        if (uplo == CUBLAS_FILL_MODE_LOWER) column.begin = static_cast<const char*>(column.begin) + size;
        if (column.width) rest.push_back(column);
    }
    return rest;
}

template <class T>
cublasStatus_t gemv(BlasCall call, cublasOperation_t trans, int m, int n, const T* alpha, const T* a, int lda,
                    const T* x, int incx, const T* beta, T* y, int incy) {
    const bool plain = trans == CUBLAS_OP_N;
    return times_vector<T>(
        call, known(trans) && m >= 0 && n >= 0 && lda >= std::max(1, m) && incx != 0 && incy != 0, alpha,
        matrix(m, n, a, lda), vector(plain ? n : m, x, incx), beta, vector(plain ? m : n, y, incy),
        [=](T first, T second) {
            const char t = letter(trans);
            Fortran<T>::gemv(&t, &m, &n, &first, a, &lda, x, &incx, &second, y, &incy);
        });
}

template <class T>
cublasStatus_t gbmv(BlasCall call, cublasOperation_t trans, int m, int n, int kl, int ku, const T* alpha,
                    const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy) {
    const bool plain = trans == CUBLAS_OP_N;
    return times_vector<T>(call,
                           known(trans) && m >= 0 && n >= 0 && kl >= 0 && ku >= 0 && lda >= kl + ku + 1 &&
                               incx != 0 && incy != 0,
                           alpha, bands(m, n, kl, ku, a, lda), vector(plain ? n : m, x, incx), beta,
                           vector(plain ? m : n, y, incy), [=](T first, T second) {
                               const char t = letter(trans);
                               Fortran<T>::gbmv(&t, &m, &n, &kl, &ku, &first, a, &lda, x, &incx, &second, y,
                                                &incy);
                           });
}

template <class T>
cublasStatus_t ger(BlasCall call, int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy,
                   T* a, int lda) {
    return add_product<T>(call, m >= 0 && n >= 0 && lda >= std::max(1, m) && incx != 0 && incy != 0, alpha,
                          vector(m, x, incx), vector(n, y, incy), matrix(m, n, a, lda),
                          [=](T factor) { Fortran<T>::ger(&m, &n, &factor, x, &incx, y, &incy, a, &lda); });
}

template <class T>
cublasStatus_t symv(BlasCall call, cublasFillMode_t uplo, int n, const T* alpha, const T* a, int lda,
                    const T* x, int incx, const T* beta, T* y, int incy) {
    return times_vector<T>(call, known(uplo) && n >= 0 && lda >= std::max(1, n) && incx != 0 && incy != 0,
                           alpha, triangle(uplo, n, a, lda), vector(n, x, incx), beta, vector(n, y, incy),
                           [=](T first, T second) {
                               const char u = letter(uplo);
                               Fortran<T>::symv(&u, &n, &first, a, &lda, x, &incx, &second, y, &incy);
                           });
}

/// The pieces of a triangular band matrix with k diagonals next to the main diagonal.
template <class T>
Pieces half_bands(cublasFillMode_t uplo, int n, int k, const T* a, int lda) {
    const bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
    return bands(n, n, lower ? k : 0, lower ? 0 : k, a, lda);
}

template <class T>
cublasStatus_t sbmv(BlasCall call, cublasFillMode_t uplo, int n, int k, const T* alpha, const T* a, int lda,
                    const T* x, int incx, const T* beta, T* y, int incy) {
    return times_vector<T>(call, known(uplo) && n >= 0 && k >= 0 && lda >= k + 1 && incx != 0 && incy != 0,
                           alpha, half_bands(uplo, n, k, a, lda), vector(n, x, incx), beta,
                           vector(n, y, incy), [=](T first, T second) {
                               const char u = letter(uplo);
                               Fortran<T>::sbmv(&u, &n, &k, &first, a, &lda, x, &incx, &second, y, &incy);
                           });
}

template <class T>
cublasStatus_t spmv(BlasCall call, cublasFillMode_t uplo, int n, const T* alpha, const T* ap, const T* x,
                    int incx, const T* beta, T* y, int incy) {
    return times_vector<T>(call, known(uplo) && n >= 0 && incx != 0 && incy != 0, alpha, packed(n, ap),
                           vector(n, x, incx), beta, vector(n, y, incy), [=](T first, T second) {
                               const char u = letter(uplo);
                               Fortran<T>::spmv(&u, &n, &first, ap, x, &incx, &second, y, &incy);
                           });
}

template <class T>
cublasStatus_t syr(BlasCall call, cublasFillMode_t uplo, int n, const T* alpha, const T* x, int incx, T* a,
                   int lda) {
    return add_product<T>(call, known(uplo) && n >= 0 && lda >= std::max(1, n) && incx != 0, alpha,
                          vector(n, x, incx), {}, triangle(uplo, n, a, lda), [=](T factor) {
                              const char u = letter(uplo);
                              Fortran<T>::syr(&u, &n, &factor, x, &incx, a, &lda);
                          });
}

template <class T>
cublasStatus_t spr(BlasCall call, cublasFillMode_t uplo, int n, const T* alpha, const T* x, int incx, T* ap) {
    return add_product<T>(call, known(uplo) && n >= 0 && incx != 0, alpha, vector(n, x, incx), {},
                          packed(n, ap), [=](T factor) {
                              const char u = letter(uplo);
                              Fortran<T>::spr(&u, &n, &factor, x, &incx, ap);
                          });
}

template <class T>
cublasStatus_t syr2(BlasCall call, cublasFillMode_t uplo, int n, const T* alpha, const T* x, int incx,
                    const T* y, int incy, T* a, int lda) {
    return add_product<T>(call, known(uplo) && n >= 0 && lda >= std::max(1, n) && incx != 0 && incy != 0,
                          alpha, vector(n, x, incx), vector(n, y, incy), triangle(uplo, n, a, lda),
                          [=](T factor) {
                              const char u = letter(uplo);
                              Fortran<T>::syr2(&u, &n, &factor, x, &incx, y, &incy, a, &lda);
                          });
}

template <class T>
cublasStatus_t spr2(BlasCall call, cublasFillMode_t uplo, int n, const T* alpha, const T* x, int incx,
                    const T* y, int incy, T* ap) {
    return add_product<T>(call, known(uplo) && n >= 0 && incx != 0 && incy != 0, alpha, vector(n, x, incx),
                          vector(n, y, incy), packed(n, ap), [=](T factor) {
                              const char u = letter(uplo);
                              Fortran<T>::spr2(&u, &n, &factor, x, &incx, y, &incy, ap);
                          });
}

template <class T, class Function>
cublasStatus_t triangular(BlasCall call, cublasFillMode_t uplo, cublasOperation_t trans,
                          cublasDiagType_t diag, int n, const T* a, int lda, T* x, int incx,
                          Function function) {
    return transform<T>(call, known(uplo) && known(trans) && lda >= std::max(1, n),
                        without_diagonal(triangle(uplo, n, a, lda), uplo, diag, sizeof(T)), n, x, incx, [=] {
                            const char u = letter(uplo), t = letter(trans), d = letter(diag);
                            function(&u, &t, &d, &n, a, &lda, x, &incx);
                        });
}
template <class T>
cublasStatus_t trmv(BlasCall call, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
                    int n, const T* a, int lda, T* x, int incx) {
    return triangular<T>(call, uplo, trans, diag, n, a, lda, x, incx, Fortran<T>::trmv);
}
template <class T>
cublasStatus_t trsv(BlasCall call, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
                    int n, const T* a, int lda, T* x, int incx) {
    return triangular<T>(call, uplo, trans, diag, n, a, lda, x, incx, Fortran<T>::trsv);
}

template <class T, class Function>
cublasStatus_t banded(BlasCall call, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
                      int n, int k, const T* a, int lda, T* x, int incx, Function function) {
    return transform<T>(call, known(uplo) && known(trans) && k >= 0 && lda >= k + 1,
                        without_diagonal(half_bands(uplo, n, k, a, lda), uplo, diag, sizeof(T)), n, x, incx,
                        [=] {
                            const char u = letter(uplo), t = letter(trans), d = letter(diag);
                            function(&u, &t, &d, &n, &k, a, &lda, x, &incx);
                        });
}
template <class T>
cublasStatus_t tbmv(BlasCall call, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
                    int n, int k, const T* a, int lda, T* x, int incx) {
    return banded<T>(call, uplo, trans, diag, n, k, a, lda, x, incx, Fortran<T>::tbmv);
}
template <class T>
cublasStatus_t tbsv(BlasCall call, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
                    int n, int k, const T* a, int lda, T* x, int incx) {
    return banded<T>(call, uplo, trans, diag, n, k, a, lda, x, incx, Fortran<T>::tbsv);
}

/// The pieces of a packed triangle. The diagonal of a unit triangle is not read.
template <class T>
Pieces packed_triangle(cublasFillMode_t uplo, cublasDiagType_t diag, int n, const T* ap) {
    Pieces columns;
    std::ptrdiff_t first = 0;
    for (int j = 0; j < n; ++j) {
        const int length = uplo == CUBLAS_FILL_MODE_LOWER ? n - j : j + 1;
        const std::size_t bytes = static_cast<std::size_t>(length) * sizeof(T);
        columns.push_back({ap + first, bytes, 1, bytes});
        first += length;
    }
    return without_diagonal(columns, uplo, diag, sizeof(T));
}

template <class T, class Function>
cublasStatus_t packed_triangular(BlasCall call, cublasFillMode_t uplo, cublasOperation_t trans,
                                 cublasDiagType_t diag, int n, const T* ap, T* x, int incx,
                                 Function function) {
    return transform<T>(call, known(uplo) && known(trans), packed_triangle(uplo, diag, n, ap), n, x, incx,
                        [=] {
                            const char u = letter(uplo), t = letter(trans), d = letter(diag);
                            function(&u, &t, &d, &n, ap, x, &incx);
                        });
}
template <class T>
cublasStatus_t tpmv(BlasCall call, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
                    int n, const T* ap, T* x, int incx) {
    return packed_triangular<T>(call, uplo, trans, diag, n, ap, x, incx, Fortran<T>::tpmv);
}
template <class T>
cublasStatus_t tpsv(BlasCall call, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
                    int n, const T* ap, T* x, int incx) {
    return packed_triangular<T>(call, uplo, trans, diag, n, ap, x, incx, Fortran<T>::tpsv);
}

}  // namespace

#define KIT_BLAS_DEFINE(L, l, T)                                                                             \
    cublasStatus_t cublas##L##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,             \
                                   const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta, \
                                   T* y, int incy) {                                                         \
        return gemv<T>(BlasCall(handle, "cublas" #L "gemv", KIT_CALLER), trans, m, n, alpha, a, lda, x,      \
                       incx, beta, y, incy);                                                                 \
    }                                                                                                        \
    cublasStatus_t cublas##L##gbmv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, int kl,     \
                                   int ku, const T* alpha, const T* a, int lda, const T* x, int incx,        \
                                   const T* beta, T* y, int incy) {                                          \
        return gbmv<T>(BlasCall(handle, "cublas" #L "gbmv", KIT_CALLER), trans, m, n, kl, ku, alpha, a, lda, \
                       x, incx, beta, y, incy);                                                              \
    }                                                                                                        \
    cublasStatus_t cublas##L##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx, \
                                  const T* y, int incy, T* a, int lda) {                                     \
        return ger<T>(BlasCall(handle, "cublas" #L "ger", KIT_CALLER), m, n, alpha, x, incx, y, incy, a,     \
                      lda);                                                                                  \
    }                                                                                                        \
    cublasStatus_t cublas##L##symv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,      \
                                   const T* a, int lda, const T* x, int incx, const T* beta, T* y,           \
                                   int incy) {                                                               \
        return symv<T>(BlasCall(handle, "cublas" #L "symv", KIT_CALLER), uplo, n, alpha, a, lda, x, incx,    \
                       beta, y, incy);                                                                       \
    }                                                                                                        \
    cublasStatus_t cublas##L##sbmv(cublasHandle_t handle, cublasFillMode_t uplo, int n, int k,               \
                                   const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta, \
                                   T* y, int incy) {                                                         \
        return sbmv<T>(BlasCall(handle, "cublas" #L "sbmv", KIT_CALLER), uplo, n, k, alpha, a, lda, x, incx, \
                       beta, y, incy);                                                                       \
    }                                                                                                        \
    cublasStatus_t cublas##L##spmv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,      \
                                   const T* ap, const T* x, int incx, const T* beta, T* y, int incy) {       \
        return spmv<T>(BlasCall(handle, "cublas" #L "spmv", KIT_CALLER), uplo, n, alpha, ap, x, incx, beta,  \
                       y, incy);                                                                             \
    }                                                                                                        \
    cublasStatus_t cublas##L##syr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,       \
                                  const T* x, int incx, T* a, int lda) {                                     \
        return syr<T>(BlasCall(handle, "cublas" #L "syr", KIT_CALLER), uplo, n, alpha, x, incx, a, lda);     \
    }                                                                                                        \
    cublasStatus_t cublas##L##spr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,       \
                                  const T* x, int incx, T* ap) {                                             \
        return spr<T>(BlasCall(handle, "cublas" #L "spr", KIT_CALLER), uplo, n, alpha, x, incx, ap);         \
    }                                                                                                        \
    cublasStatus_t cublas##L##syr2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,      \
                                   const T* x, int incx, const T* y, int incy, T* a, int lda) {              \
        return syr2<T>(BlasCall(handle, "cublas" #L "syr2", KIT_CALLER), uplo, n, alpha, x, incx, y, incy,   \
                       a, lda);                                                                              \
    }                                                                                                        \
    cublasStatus_t cublas##L##spr2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,      \
                                   const T* x, int incx, const T* y, int incy, T* ap) {                      \
        return spr2<T>(BlasCall(handle, "cublas" #L "spr2", KIT_CALLER), uplo, n, alpha, x, incx, y, incy,   \
                       ap);                                                                                  \
    }                                                                                                        \
    cublasStatus_t cublas##L##trmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,    \
                                   cublasDiagType_t diag, int n, const T* a, int lda, T* x, int incx) {      \
        return trmv<T>(BlasCall(handle, "cublas" #L "trmv", KIT_CALLER), uplo, trans, diag, n, a, lda, x,    \
                       incx);                                                                                \
    }                                                                                                        \
    cublasStatus_t cublas##L##trsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,    \
                                   cublasDiagType_t diag, int n, const T* a, int lda, T* x, int incx) {      \
        return trsv<T>(BlasCall(handle, "cublas" #L "trsv", KIT_CALLER), uplo, trans, diag, n, a, lda, x,    \
                       incx);                                                                                \
    }                                                                                                        \
    cublasStatus_t cublas##L##tbmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,    \
                                   cublasDiagType_t diag, int n, int k, const T* a, int lda, T* x,           \
                                   int incx) {                                                               \
        return tbmv<T>(BlasCall(handle, "cublas" #L "tbmv", KIT_CALLER), uplo, trans, diag, n, k, a, lda, x, \
                       incx);                                                                                \
    }                                                                                                        \
    cublasStatus_t cublas##L##tbsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,    \
                                   cublasDiagType_t diag, int n, int k, const T* a, int lda, T* x,           \
                                   int incx) {                                                               \
        return tbsv<T>(BlasCall(handle, "cublas" #L "tbsv", KIT_CALLER), uplo, trans, diag, n, k, a, lda, x, \
                       incx);                                                                                \
    }                                                                                                        \
    cublasStatus_t cublas##L##tpmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,    \
                                   cublasDiagType_t diag, int n, const T* ap, T* x, int incx) {              \
        return tpmv<T>(BlasCall(handle, "cublas" #L "tpmv", KIT_CALLER), uplo, trans, diag, n, ap, x, incx); \
    }                                                                                                        \
    cublasStatus_t cublas##L##tpsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,    \
                                   cublasDiagType_t diag, int n, const T* ap, T* x, int incx) {              \
        return tpsv<T>(BlasCall(handle, "cublas" #L "tpsv", KIT_CALLER), uplo, trans, diag, n, ap, x, incx); \
    }

KIT_BLAS_DEFINE(S, s, float)
KIT_BLAS_DEFINE(D, d, double)
#undef KIT_BLAS_DEFINE

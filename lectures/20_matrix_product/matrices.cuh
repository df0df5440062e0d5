// What the demo multiplies, and the library that it compares with: matrices with known products, and the products of cuBLAS.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "20_matrix_product/20_matrix_product.hpp"
#include "kit.cuh"
#if !defined(KIT_CPU) && !defined(KIT_WITHOUT_CUBLAS)
#include <cublas_v2.h>
#define DEMO_HAS_BLAS 1
#endif

namespace {

using matrix_product::Sizes;

inline std::size_t elements(int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

/// A and B with small integers, whose products and sums are exact in every type of the demo, and room for C. The leading dimensions are
/// multiples of 8.
template <class In, class Out>
struct Matrices {
    explicit Matrices(Sizes sizes)
        : sizes(sizes),
          lda(kit::ceil_div(sizes.k, 8) * 8),
          ldb(kit::ceil_div(sizes.n, 8) * 8),
          a(values(elements(sizes.m, lda), 7)),
          b(values(elements(sizes.k, ldb), 5)),
          c(elements(sizes.m, ldb)) {
        c.clear();
    }

    static float value(std::size_t e, std::size_t period) {
        return static_cast<float>(e % 1009 % period) - 2;
    }
    static std::vector<In> values(std::size_t count, std::size_t period) {
        std::vector<In> all(count);
        for (std::size_t e = 0; e < count; ++e) all[e] = static_cast<In>(value(e, period));
        return all;
    }

    template <class Product>
    void multiply(Product* product) {
        product(sizes, a.data(), lda, b.data(), ldb, c.data(), ldb);
    }

    /// Returns whether 64 elements of C are right, which the host computes again, and clears C.
    bool is_right() {
        bool right = true;
        for (int s = 0; s < 64; ++s) {
            const int row = s * 7919 % sizes.m, column = s * 10473 % sizes.n;
            double sum = 0;
            for (int i = 0; i < sizes.k; ++i)
                sum += double(value(elements(row, lda) + static_cast<std::size_t>(i), 7)) *
                       value(elements(i, ldb) + static_cast<std::size_t>(column), 5);
            Out got;
            CUDA_CHECK(
                cudaMemcpy(&got, c.data() + elements(row, ldb) + column, sizeof got, cudaMemcpyDeviceToHost));
            right = right &&
                    static_cast<float>(got) == static_cast<float>(static_cast<Out>(static_cast<float>(sum)));
        }
        c.clear();
        return right;
    }

    double flops() const { return 2.0 * sizes.m * sizes.n * sizes.k; }
    double bytes() const {
        return sizeof(In) * (double(sizes.m) * sizes.k + double(sizes.k) * sizes.n) +
               sizeof(Out) * double(sizes.m) * sizes.n;
    }

    Sizes sizes;
    int lda, ldb;
    kit::DeviceBuffer<In> a, b;
    kit::DeviceBuffer<Out> c;
};

#ifdef DEMO_HAS_BLAS
/// cuBLAS expects matrices column by column. A row-major matrix is its transpose column by column, so the demo computes the transpose of
/// C: A and B change places.
class Blas {
  public:
    Blas() { check(cublasCreate(&handle_)); }
    ~Blas() { cublasDestroy(handle_); }
    Blas(const Blas&) = delete;

    /// Computes `count` products. The strides are the distances from one product to the next. Floats are not rounded to tf32 unless
    /// `tf32` is set.
    template <class In, class Out>
    void multiply(Matrices<In, Out>& all, bool tf32 = false) {
        batch(all, all.sizes, 1, 0, 0, 0, tf32);
    }
    template <class In, class Out>
    void batch(Matrices<In, Out>& all, Sizes sizes, int count, long long a, long long b, long long c,
               bool tf32 = false) {
        const float one = 1, zero = 0;
        const cublasComputeType_t compute = sizeof(In) < 4 ? CUBLAS_COMPUTE_32F
                                            : tf32         ? CUBLAS_COMPUTE_32F_FAST_TF32
                                                           : CUBLAS_COMPUTE_32F_PEDANTIC;
        check(cublasGemmStridedBatchedEx(handle_, CUBLAS_OP_N, CUBLAS_OP_N, sizes.n, sizes.m, sizes.k, &one,
                                         all.b.data(), type<In>(), all.ldb, b, all.a.data(), type<In>(),
                                         all.lda, a, &zero, all.c.data(), type<Out>(), all.ldb, c, count,
                                         compute, CUBLAS_GEMM_DEFAULT));
    }

  private:
    template <class T>
    static cudaDataType type() {
        if (sizeof(T) == 4) return CUDA_R_32F;
        return std::is_same_v<T, __half> ? CUDA_R_16F : CUDA_R_16BF;
    }
    static void check(cublasStatus_t status) {
        if (status == CUBLAS_STATUS_SUCCESS) return;
        std::fprintf(stderr, "a call of cuBLAS returned %d\n", static_cast<int>(status));
        std::exit(EXIT_FAILURE);
    }

    cublasHandle_t handle_ = nullptr;
};
#else
/// Stands for a library that does not exist here: its products are never measured.
struct Blas {
    template <class In, class Out>
    void multiply(Matrices<In, Out>&, bool = false) {}
    template <class In, class Out>
    void batch(Matrices<In, Out>&, Sizes, int, long long, long long, long long, bool = false) {}
};
#endif

#ifdef DEMO_HAS_BLAS
constexpr bool kHasBlas = true;
#else
constexpr bool kHasBlas = false;
#endif

}  // namespace

// What the demo multiplies, and the library that it compares with: matrices with known products, and the products of cuBLAS.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
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

constexpr double kTruncatedToTf32 = 0x1p-10;  // relative error of a float whose last 13 bits are ignored

inline std::size_t elements(int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

/// Returns a number from -1 to 1 that depends on both arguments only.
template <class T>
__host__ __device__ T random_value(std::size_t e, unsigned int seed) {
    unsigned int bits = static_cast<unsigned int>(e) * 2654435761u + seed;
    bits = (bits ^ bits >> 15) * 2246822519u;
    bits = (bits ^ bits >> 13) * 3266489917u;
    return static_cast<T>(static_cast<float>(bits >> 8) * 0x1p-23f - 1);
}

// Fills a matrix with random values.
// Mapping : a grid-stride loop over the elements.
template <class T>
__global__ void fill_matrix(T* to, std::size_t count, unsigned int seed) {
    for (std::size_t e = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; e < count;
         e += std::size_t{gridDim.x} * blockDim.x)
        to[e] = random_value<T>(e, seed);
}

/// A and B with random numbers, and room for C. A GPU that is limited by its power runs faster if the numbers have few different bits, so
/// the numbers use all bits of their type. The leading dimensions are multiples of 8.
template <class In, class Out>
struct Matrices {
    /// `factor_error`: the largest relative error of a factor that the product may round.
    explicit Matrices(Sizes sizes, double factor_error = 0)
        : sizes(sizes),
          lda(kit::ceil_div(sizes.k, 8) * 8),
          ldb(kit::ceil_div(sizes.n, 8) * 8),
          a(elements(sizes.m, lda)),
          b(elements(sizes.k, ldb)),
          c(elements(sizes.m, ldb)),
          error_(factor_error) {
        fill(a, 1), fill(b, 2);
        clear();
    }

    template <class Product>
    void multiply(Product* product) {
        product(sizes, a.data(), lda, b.data(), ldb, c.data(), ldb);
    }

    /// Returns whether 64 elements of C are right, which the host computes again, and clears C. Rounding of k sums, of the factors and of C
    /// is allowed.
    bool is_right() {
        bool right = true;
        for (int s = 0; s < 64; ++s) {
            const int row = s * 7919 % sizes.m, column = s * 10473 % sizes.n;
            double sum = 0;
            for (int i = 0; i < sizes.k; ++i)
                sum += double(static_cast<float>(
                           random_value<In>(elements(row, lda) + static_cast<std::size_t>(i), 1))) *
                       static_cast<float>(
                           random_value<In>(elements(i, ldb) + static_cast<std::size_t>(column), 2));
            Out got;
            CUDA_CHECK(
                cudaMemcpy(&got, c.data() + elements(row, ldb) + column, sizeof got, cudaMemcpyDeviceToHost));
            const double allowed = 1e-6 * sizes.k + error_ * (std::sqrt(double(sizes.k)) + std::abs(sum)) +
                                   (sizeof(Out) == 2 ? std::abs(sum) / 256 : 0);
            right = right && std::abs(double(static_cast<float>(got)) - sum) <= allowed;  // false for NaN
        }
        clear();
        return right;
    }
    /// Fills C with NaN.
    void clear() { CUDA_CHECK(cudaMemset(c.data(), 0xff, c.size() * sizeof(Out))); }

    double flops() const { return 2.0 * sizes.m * sizes.n * sizes.k; }
    double bytes() const {
        return sizeof(In) * (double(sizes.m) * sizes.k + double(sizes.k) * sizes.n) +
               sizeof(Out) * double(sizes.m) * sizes.n;
    }

    Sizes sizes;
    int lda, ldb;
    kit::DeviceBuffer<In> a, b;
    kit::DeviceBuffer<Out> c;

  private:
    static void fill(kit::DeviceBuffer<In>& matrix, unsigned int seed) {
        const auto blocks = std::min(kit::ceil_div(matrix.size(), std::size_t{256}), std::size_t{1024});
        fill_matrix<<<static_cast<unsigned int>(blocks), 256>>>(matrix.data(), matrix.size(), seed);
        CUDA_CHECK_LAUNCH();
    }

    double error_;
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

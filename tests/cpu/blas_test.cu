// needs: cublas
// cuBLAS for float and double: the result of each function, pointer modes, streams, graphs, and status codes.
#include <cublas_v2.h>

#include <cmath>
#include <cstring>

#include "conformance.cuh"

#define CHECK_BLAS(call, status) CHECK_EQUAL(static_cast<int>(call), static_cast<int>(status))

namespace {

template <class T>
class Device {
  public:
    explicit Device(const std::vector<T>& values) : size_(values.size()) {
        cudaMalloc(&data_, size_ * sizeof(T));
        cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~Device() { cudaFree(data_); }
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    operator T*() const { return data_; }
    std::vector<T> read() const {
        std::vector<T> values(size_);
        cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
        return values;
    }

  private:
    T* data_ = nullptr;
    std::size_t size_;
};

struct Handle {
    Handle() { cublasCreate(&handle); }
    ~Handle() { cublasDestroy(handle); }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    operator cublasHandle_t() const { return handle; }
    cublasHandle_t handle = nullptr;
};

/// Returns small whole numbers, whose sums are exact.
template <class T>
std::vector<T> numbers(std::size_t n, int first = 1) {
    std::vector<T> values(n);
    for (std::size_t i = 0; i < n; ++i)
        values[i] = static_cast<T>((static_cast<int>(i) * 7 + first) % 11 - 5);
    return values;
}

/// Returns element (i, j) of a matrix that is stored by columns.
template <class T>
T at(const std::vector<T>& a, int lda, int i, int j) {
    return a[static_cast<std::size_t>(i + j * lda)];
}

}  // namespace

CASE("the header declares the types of other precisions") {
    const cublasDataType_t type = CUDA_R_16F;
    CHECK_EQUAL(static_cast<int>(type), static_cast<int>(CUDA_R_16F));
    CHECK_EQUAL(sizeof(half) + sizeof(__nv_bfloat16), 4u);
    CHECK_EQUAL(sizeof(cuComplex) + sizeof(cuDoubleComplex), 24u);
#ifndef CUBLAS_API_H_
    CHECK(!"helper_cuda.h of NVIDIA's samples tests CUBLAS_API_H_");
#endif
}

CASE("a product of matrices, by columns, with padding between them") {
    const Handle handle;
    const int m = 5, n = 3, k = 4, lda = 6, ldb = 5, ldc = 7;
    const std::vector<double> a = numbers<double>(lda * k), b = numbers<double>(ldb * n, 3),
                              before = numbers<double>(ldc * n, 4);
    const Device<double> x(a), y(b), c(before);
    const double alpha = 2, beta = -1;
    CHECK_BLAS(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, x, lda, y, ldb, &beta, c, ldc),
               CUBLAS_STATUS_SUCCESS);
    std::vector<double> want = before;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
            double sum = 0;
            for (int l = 0; l < k; ++l) sum += at(a, lda, i, l) * at(b, ldb, l, j);
            want[static_cast<std::size_t>(i + j * ldc)] = alpha * sum + beta * at(before, ldc, i, j);
        }
    CHECK_EQUAL(c.read(), want);
}

CASE("transposed operands, and a result that is not read where beta is zero") {
    const Handle handle;
    const int m = 4, n = 6, k = 3;
    const std::vector<float> a = numbers<float>(k * m), b = numbers<float>(n * k, 2);
    const Device<float> x(a), y(b), c(std::vector<float>(m * n, NAN));
    const float alpha = 1, beta = 0;
    CHECK_BLAS(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_T, m, n, k, &alpha, x, k, y, n, &beta, c, m),
               CUBLAS_STATUS_SUCCESS);
    std::vector<float> want(m * n);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i)
            for (int l = 0; l < k; ++l)
                want[static_cast<std::size_t>(i + j * m)] += at(a, k, l, i) * at(b, n, j, l);
    CHECK_EQUAL(c.read(), want);
}

CASE("batches of products, by a stride and by lists of pointers") {
    const Handle handle;
    const int n = 3, batch = 4;
    const std::vector<float> a = numbers<float>(n * n * batch), b = numbers<float>(n * n * batch, 5);
    const Device<float> x(a), y(b), by_stride(std::vector<float>(n * n * batch)),
        by_list(std::vector<float>(n * n * batch));
    const float one = 1, zero = 0;
    CHECK_BLAS(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, x, n, n * n, y, n,
                                         n * n, &zero, by_stride, n, n * n, batch),
               CUBLAS_STATUS_SUCCESS);
    std::vector<const float*> lists_a, lists_b;
    std::vector<float*> lists_c;
    for (int i = 0; i < batch; ++i) {
        lists_a.push_back(x + i * n * n);
        lists_b.push_back(y + i * n * n);
        lists_c.push_back(by_list + i * n * n);
    }
    const Device<const float*> list_a(lists_a), list_b(lists_b);
    const Device<float*> list_c(lists_c);
    CHECK_BLAS(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, list_a, n, list_b, n,
                                  &zero, list_c, n, batch),
               CUBLAS_STATUS_SUCCESS);
    std::vector<float> want(n * n * batch);
    for (int k = 0; k < batch; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i)
                for (int l = 0; l < n; ++l)
                    want[static_cast<std::size_t>(k * n * n + i + j * n)] +=
                        a[static_cast<std::size_t>(k * n * n + i + l * n)] *
                        b[static_cast<std::size_t>(k * n * n + l + j * n)];
    CHECK_EQUAL(by_stride.read(), want);
    CHECK_EQUAL(by_list.read(), want);
}

CASE("level 1 with steps") {
    const Handle handle;
    const int n = 5;
    const std::vector<float> a = numbers<float>(2 * n), b = numbers<float>(n, 4);
    const Device<float> x(a), y(b);
    float dot = 0, want_dot = 0, sum = 0, want_sum = 0, norm = 0, squares = 0;
    for (int i = 0; i < n; ++i) {
        want_dot += a[static_cast<std::size_t>(2 * i)] * b[static_cast<std::size_t>(i)];
        want_sum += std::abs(a[static_cast<std::size_t>(2 * i)]);
        squares += b[static_cast<std::size_t>(i)] * b[static_cast<std::size_t>(i)];
    }
    CHECK_BLAS(cublasSdot(handle, n, x, 2, y, 1, &dot), CUBLAS_STATUS_SUCCESS);
    CHECK_BLAS(cublasSasum(handle, n, x, 2, &sum), CUBLAS_STATUS_SUCCESS);
    CHECK_BLAS(cublasSnrm2(handle, n, y, 1, &norm), CUBLAS_STATUS_SUCCESS);
    CHECK_EQUAL(dot, want_dot);
    CHECK_EQUAL(sum, want_sum);
    CHECK(std::abs(norm - std::sqrt(squares)) < 1e-5f * norm);
    const float factor = 3;
    CHECK_BLAS(cublasSaxpy(handle, n, &factor, x, 2, y, 1), CUBLAS_STATUS_SUCCESS);
    std::vector<float> want = b;
    for (int i = 0; i < n; ++i)
        want[static_cast<std::size_t>(i)] += factor * a[static_cast<std::size_t>(2 * i)];
    CHECK_EQUAL(y.read(), want);
    CHECK_BLAS(cublasSscal(handle, n, &factor, y, 1), CUBLAS_STATUS_SUCCESS);
    for (float& value : want) value *= factor;
    CHECK_EQUAL(y.read(), want);
}

CASE("the largest and the smallest magnitude are numbered from 1") {
    const Handle handle;
    const Device<double> x({3, -7, 2, 7, -1, 1});
    int most = 0, least = 0;
    CHECK_BLAS(cublasIdamax(handle, 6, x, 1, &most), CUBLAS_STATUS_SUCCESS);
    CHECK_BLAS(cublasIdamin(handle, 6, x, 1, &least), CUBLAS_STATUS_SUCCESS);
    CHECK_EQUAL(most, 2);
    CHECK_EQUAL(least, 5);
}

CASE("a matrix and a vector: whole, of one triangle, and solved") {
    const Handle handle;
    const int n = 4;
    const std::vector<double> a{2, 1, 4, -2, 9, 1, 3, 5,
                                // The lower triangle has the matrix's numbers, and the upper one has 9.
                                9, 9, 4, 6, 9, 9, 9, 2};
    const std::vector<double> x = numbers<double>(n);
    const Device<double> matrix(a), vector(x), y(std::vector<double>(n, 1));
    const double one = 1, two = 2;
    CHECK_BLAS(cublasDgemv(handle, CUBLAS_OP_T, n, n, &one, matrix, n, vector, 1, &two, y, 1),
               CUBLAS_STATUS_SUCCESS);
    std::vector<double> want(n, 2);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            want[static_cast<std::size_t>(i)] += at(a, n, j, i) * x[static_cast<std::size_t>(j)];
    CHECK_EQUAL(y.read(), want);
    const double zero = 0;
    CHECK_BLAS(cublasDsymv(handle, CUBLAS_FILL_MODE_LOWER, n, &one, matrix, n, vector, 1, &zero, y, 1),
               CUBLAS_STATUS_SUCCESS);
    want.assign(n, 0);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            want[static_cast<std::size_t>(i)] +=
                (i >= j ? at(a, n, i, j) : at(a, n, j, i)) * x[static_cast<std::size_t>(j)];
    CHECK_EQUAL(y.read(), want);
    CHECK_BLAS(cublasDtrmv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n, matrix, n,
                           vector, 1),
               CUBLAS_STATUS_SUCCESS);
    CHECK_BLAS(cublasDtrsv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n, matrix, n,
                           vector, 1),
               CUBLAS_STATUS_SUCCESS);
    CHECK_EQUAL(vector.read(), x);
}

CASE("triangles of level 3 write only one half, and trmm writes a third matrix") {
    const Handle handle;
    const int n = 3, k = 2;
    const std::vector<float> a = numbers<float>(n * k);
    const Device<float> x(a), c(std::vector<float>(n * n, 100));
    const float one = 1, zero = 0;
    CHECK_BLAS(cublasSsyrk(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, n, k, &one, x, n, &zero, c, n),
               CUBLAS_STATUS_SUCCESS);
    std::vector<float> want(n * n, 100);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i <= j; ++i) {
            want[static_cast<std::size_t>(i + j * n)] = 0;
            for (int l = 0; l < k; ++l)
                want[static_cast<std::size_t>(i + j * n)] += at(a, n, i, l) * at(a, n, j, l);
        }
    CHECK_EQUAL(c.read(), want);
    const Device<float> upper({2, 9, 9, 3, 1, 9, 4, 5, 2}), product(std::vector<float>(n * k));
    CHECK_BLAS(cublasStrmm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                           CUBLAS_DIAG_NON_UNIT, n, k, &one, upper, n, x, n, product, n),
               CUBLAS_STATUS_SUCCESS);
    CHECK_EQUAL(x.read(), a);
    CHECK_BLAS(cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                           CUBLAS_DIAG_NON_UNIT, n, k, &one, upper, n, product, n),
               CUBLAS_STATUS_SUCCESS);
    CHECK_EQUAL(product.read(), a);
}

CASE("sums and transposition by geam, a diagonal by dgmm") {
    const Handle handle;
    const int m = 2, n = 3;
    const std::vector<double> a = numbers<double>(m * n), b = numbers<double>(m * n, 3);
    const Device<double> x(a), y(b), c(std::vector<double>(m * n)), diagonal({10, 20, 30});
    const double one = 1, two = 2;
    CHECK_BLAS(cublasDgeam(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, &one, x, m, &two, y, n, c, m),
               CUBLAS_STATUS_SUCCESS);
    std::vector<double> want(m * n);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i)
            want[static_cast<std::size_t>(i + j * m)] = at(a, m, i, j) + 2 * at(b, n, j, i);
    CHECK_EQUAL(c.read(), want);
    CHECK_BLAS(cublasDdgmm(handle, CUBLAS_SIDE_RIGHT, m, n, x, m, diagonal, 1, c, m), CUBLAS_STATUS_SUCCESS);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) want[static_cast<std::size_t>(i + j * m)] = at(a, m, i, j) * (j + 1) * 10;
    CHECK_EQUAL(c.read(), want);
}

CASE("scalars and results in device memory are used when the work runs") {
    const Handle handle;
    CHECK_BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE), CUBLAS_STATUS_SUCCESS);
    const Device<float> x({1, 2, 3}), y({1, 1, 1}), alpha({5}), result({0});
    CHECK_BLAS(cublasSaxpy(handle, 3, alpha, x, 1, y, 1), CUBLAS_STATUS_SUCCESS);
    CHECK_BLAS(cublasSdot(handle, 3, x, 1, y, 1, result), CUBLAS_STATUS_SUCCESS);
    CHECK_EQUAL(result.read(), std::vector<float>{1 * 6 + 2 * 11 + 3 * 16});
}

CASE("the work is done in the handle's stream, and can be recorded in a graph") {
    const Handle handle;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    CHECK_BLAS(cublasSetStream(handle, stream), CUBLAS_STATUS_SUCCESS);
    cudaStream_t kept = nullptr;
    CHECK_BLAS(cublasGetStream(handle, &kept), CUBLAS_STATUS_SUCCESS);
    CHECK(kept == stream);
    const Device<float> x({1, 2}), y({0, 0});
    const float two = 2;
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    CHECK_BLAS(cublasSaxpy(handle, 2, &two, x, 1, y, 1), CUBLAS_STATUS_SUCCESS);
    CHECK_CUDA(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    CHECK_CUDA(cudaGraphInstantiate(&instance, graph, 0), cudaSuccess);
    for (int i = 0; i < 3; ++i) CHECK_CUDA(cudaGraphLaunch(instance, stream), cudaSuccess);
    CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    CHECK_EQUAL(y.read(), (std::vector<float>{6, 12}));
    cudaGraphExecDestroy(instance);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
}

CASE("vectors and matrices are copied with their steps") {
    const std::vector<float> host{1, 2, 3, 4, 5, 6};
    const Device<float> x(std::vector<float>(6, 0));
    CHECK_BLAS(cublasSetVector(3, sizeof(float), host.data(), 2, x, 1), CUBLAS_STATUS_SUCCESS);
    CHECK_EQUAL(x.read(), (std::vector<float>{1, 3, 5, 0, 0, 0}));
    CHECK_BLAS(cublasSetMatrix(2, 2, sizeof(float), host.data(), 3, x, 2), CUBLAS_STATUS_SUCCESS);
    std::vector<float> back(4);
    CHECK_BLAS(cublasGetMatrix(2, 2, sizeof(float), x, 2, back.data(), 2), CUBLAS_STATUS_SUCCESS);
    CHECK_EQUAL(back, (std::vector<float>{1, 2, 4, 5}));
}

CASE("invalid arguments are refused, and statuses have names") {
    const Handle handle;
    const Device<float> x({1, 2, 3, 4});
    const float one = 1;
    CHECK_BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, -1, 1, 1, &one, x, 1, x, 1, &one, x, 1),
               CUBLAS_STATUS_INVALID_VALUE);
    CHECK_BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 1, 1, &one, x, 1, x, 1, &one, x, 2),
               CUBLAS_STATUS_INVALID_VALUE);
    CHECK_BLAS(cublasSgemv(nullptr, CUBLAS_OP_N, 2, 2, &one, x, 2, x, 1, &one, x, 1),
               CUBLAS_STATUS_NOT_INITIALIZED);
    CHECK(std::strcmp(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE), "CUBLAS_STATUS_INVALID_VALUE") == 0);
}

CONFORMANCE_MAIN("blas")

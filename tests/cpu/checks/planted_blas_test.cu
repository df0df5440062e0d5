// needs: cublas
// Mistakes with operands of cuBLAS: too short, not initialized, on the host, or in use by other work; and
// correct programs that look like mistakes.
#include <cublas_v2.h>

#include "checks.cuh"

namespace {

constexpr int n = 4;

struct Handle {
    Handle() { cublasCreate(&handle); }
    ~Handle() { cublasDestroy(handle); }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    operator cublasHandle_t() const { return handle; }
    cublasHandle_t handle = nullptr;
};

const float one = 1, zero = 0;

}  // namespace

PLANTED("a result that is smaller than the product", "address", "cublasSgemm writes 64 bytes") {
    const Handle handle;
    Buffer<float> a(n * n, 1), b(n * n, 1), c(n * n - 1, 0);
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n);  // <-
    cudaDeviceSynchronize();
}

PLANTED("rows and columns are exchanged", "address", "past the end") {
    const Handle handle;
    Buffer<float> a(2 * 8, 1), b(8 * 3, 1), c(2 * 3, 0);
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 3, 8, &one, a, 8, b, 8, &zero, c, 2);  // <-
    cudaDeviceSynchronize();
}

PLANTED("an operand that nothing has written", "uninitialised", "cublasSgemv reads") {
    const Handle handle;
    Buffer<float> x(n, 1), y(n, 0);
    float* a = nullptr;
    cudaMalloc(&a, n * n * sizeof(float));
    cublasSgemv(handle, CUBLAS_OP_N, n, n, &one, a, n, x, 1, &zero, y, 1);  // <-
    cudaDeviceSynchronize();
    cudaFree(a);
}

PLANTED("a result that is added to, and was never cleared", "uninitialised", "cublasSgemv reads") {
    const Handle handle;
    Buffer<float> a(n * n, 1), x(n, 1);
    float* y = nullptr;
    cudaMalloc(&y, n * sizeof(float));
    cublasSgemv(handle, CUBLAS_OP_N, n, n, &one, a, n, x, 1, &one, y, 1);  // <-
    cudaDeviceSynchronize();
    cudaFree(y);
}

PLANTED("a vector on the host", "host_pointer", "must be device memory") {
    const Handle handle;
    Buffer<float> y(n, 1);
    const std::vector<float> x(n, 1);
    cublasSaxpy(handle, n, &one, x.data(), 1, y, 1);  // <-
    cudaDeviceSynchronize();
}

__global__ void fill(float* data, int count) {
    const int i = static_cast<int>(threadIdx.x);
    if (i < count) data[i] = 1;  // <-
}

PLANTED("a kernel in another stream still writes the operand", "race", "cublasSaxpy") {
    const Handle handle;
    cudaStream_t writes, computes;
    cudaStreamCreateWithFlags(&writes, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&computes, cudaStreamNonBlocking);
    Buffer<float> x(n, 0), y(n, 1);
    cudaDeviceSynchronize();
    cublasSetStream(handle, computes);
    fill<<<1, 32, 0, writes>>>(x, n);
    cublasSaxpy(handle, n, &one, x, 1, y, 1);  // <-
    cudaDeviceSynchronize();
    cudaStreamDestroy(writes);
    cudaStreamDestroy(computes);
}

SILENT("a result that is not read where beta is zero, and only one triangle of a symmetric matrix") {
    const Handle handle;
    Buffer<float> x(n, 1);
    float *a = nullptr, *y = nullptr;
    cudaMalloc(&a, n * n * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    const std::vector<float> column(n, 2);
    for (int j = 0; j < n; ++j)  // fills the lower triangle
        cudaMemcpy(a + j * n + j, column.data(), static_cast<std::size_t>(n - j) * sizeof(float),
                   cudaMemcpyHostToDevice);
    cublasSsymv(handle, CUBLAS_FILL_MODE_LOWER, n, &one, a, n, x, 1, &zero, y, 1);
    std::vector<float> sums(n);
    cudaMemcpy(sums.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost);
    CHECK_EQUAL(sums, std::vector<float>(n, 8));
    cudaFree(a);
    cudaFree(y);
}

SILENT("an event orders the kernel before the product") {
    const Handle handle;
    cudaStream_t writes, computes;
    cudaEvent_t written;
    cudaStreamCreateWithFlags(&writes, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&computes, cudaStreamNonBlocking);
    cudaEventCreate(&written);
    Buffer<float> x(n, 0), y(n, 1);
    cudaDeviceSynchronize();
    cublasSetStream(handle, computes);
    fill<<<1, 32, 0, writes>>>(x, n);
    cudaEventRecord(written, writes);
    cudaStreamWaitEvent(computes, written, 0);
    cublasSaxpy(handle, n, &one, x, 1, y, 1);
    cudaDeviceSynchronize();
    CHECK_EQUAL(y.read(), std::vector<float>(n, 2));
    cudaEventDestroy(written);
    cudaStreamDestroy(writes);
    cudaStreamDestroy(computes);
}

CHECKS_MAIN("planted_blas")

// Handles of cuBLAS and their settings, and copies of vectors and matrices between host and device.
#include <iterator>
#include <set>

#include "call.hpp"
#include "device/devices.hpp"

using namespace kit::cpu;

namespace {

auto& handles = *new std::set<cublasHandle_t>;

/// The common part of all calls that read or change a handle.
template <class Body>
cublasStatus_t about(cublasHandle_t handle, bool arguments, Body body) {
    if (in_kernel()) refuse_in_kernel();
    const std::lock_guard lock(api_mutex());
    if (!handles.count(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!arguments) return CUBLAS_STATUS_INVALID_VALUE;
    body();
    return CUBLAS_STATUS_SUCCESS;
}

struct StatusName {
    cublasStatus_t status;
    const char *name, *text;
};
constexpr StatusName statuses[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE",
     "an unsupported value or parameter was passed to the function"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH",
     "the function requires a feature absent from the device architecture"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED",
     "the function failed to launch on the GPU"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED",
     "the requested functionality is not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR",
     "the functionality requested requires some license"}};

const StatusName* name_of(cublasStatus_t status) {
    for (const StatusName& one : statuses)
        if (one.status == status) return &one;
    return nullptr;
}

/// Copies a matrix; a vector is a matrix of one row. `wait`: the call returns after the copy has finished.
cublasStatus_t copy(int rows, int columns, int size, const void* a, int lda, void* b, int ldb,
                    cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
    if (rows < 0 || columns < 0 || size <= 0 || lda < rows || ldb < rows || lda <= 0 || ldb <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
    const auto bytes = [&](int elements) {
        return static_cast<std::size_t>(elements) * static_cast<std::size_t>(size);
    };
    const cudaError_t error = wait ? cudaMemcpy2D(b, bytes(ldb), a, bytes(lda), bytes(rows),
                                                  static_cast<std::size_t>(columns), kind)
                                   : cudaMemcpy2DAsync(b, bytes(ldb), a, bytes(lda), bytes(rows),
                                                       static_cast<std::size_t>(columns), kind, stream);
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

}  // namespace

bool kit::cpu::is_handle(cublasHandle_t handle) {
    return handles.count(handle) != 0;
}

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
    if (in_kernel()) refuse_in_kernel();
    const std::lock_guard lock(api_mutex());
    if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
    if (sticky_error() != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
    thread_uses_device();
    *handle = new cublasContext;
    (*handle)->device = current_device();
    handles.insert(*handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
    return about(handle, true, [&] {
        handles.erase(handle);
        delete handle;
    });
}

cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version) {
    return about(handle, version, [&] { *version = CUBLAS_VERSION; });
}
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
    return about(handle, find_stream(stream), [&] { handle->stream = stream; });
}
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
    return about(handle, stream, [&] { *stream = handle->stream; });
}
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
    const bool known = mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE;
    return about(handle, known, [&] { handle->pointers = mode; });
}
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode) {
    return about(handle, mode, [&] { *mode = handle->pointers; });
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
    return about(handle, true, [&] { handle->atomics = mode; });
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
    return about(handle, mode, [&] { *mode = handle->atomics; });
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
    return about(handle, true, [&] { handle->math = mode; });
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
    return about(handle, mode, [&] { *mode = handle->math; });
}
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void*, size_t) {
    return about(handle, true, [] {});
}

const char* cublasGetStatusName(cublasStatus_t status) {
    const StatusName* const known = name_of(status);
    return known ? known->name : "unrecognized error code";
}
const char* cublasGetStatusString(cublasStatus_t status) {
    const StatusName* const known = name_of(status);
    return known ? known->text : "unrecognized error code";
}

cublasStatus_t cublasSetVector(int n, int size, const void* x, int incx, void* y, int incy) {
    return copy(1, n, size, x, incx, y, incy, cudaMemcpyHostToDevice, nullptr, true);
}
cublasStatus_t cublasGetVector(int n, int size, const void* x, int incx, void* y, int incy) {
    return copy(1, n, size, x, incx, y, incy, cudaMemcpyDeviceToHost, nullptr, true);
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void* a, int lda, void* b, int ldb) {
    return copy(rows, columns, size, a, lda, b, ldb, cudaMemcpyHostToDevice, nullptr, true);
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void* a, int lda, void* b, int ldb) {
    return copy(rows, columns, size, a, lda, b, ldb, cudaMemcpyDeviceToHost, nullptr, true);
}
cublasStatus_t cublasSetVectorAsync(int n, int size, const void* x, int incx, void* y, int incy,
                                    cudaStream_t stream) {
    return copy(1, n, size, x, incx, y, incy, cudaMemcpyHostToDevice, stream, false);
}
cublasStatus_t cublasGetVectorAsync(int n, int size, const void* x, int incx, void* y, int incy,
                                    cudaStream_t stream) {
    return copy(1, n, size, x, incx, y, incy, cudaMemcpyDeviceToHost, stream, false);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int size, const void* a, int lda, void* b, int ldb,
                                    cudaStream_t stream) {
    return copy(rows, columns, size, a, lda, b, ldb, cudaMemcpyHostToDevice, stream, false);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int size, const void* a, int lda, void* b, int ldb,
                                    cudaStream_t stream) {
    return copy(rows, columns, size, a, lda, b, ldb, cudaMemcpyDeviceToHost, stream, false);
}

// One call of cuBLAS: which memory it reads and writes, and how its work is queued.
#pragma once

#include <cublas_api.h>

#include <functional>
#include <vector>

#include "api/api.hpp"
#include "events.hpp"

/// The object to which a cublasHandle_t points.
struct cublasContext {
    int device = 0;
    cudaStream_t stream = nullptr;
    cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
    cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
    cublasMath_t math = CUBLAS_DEFAULT_MATH;
};

namespace kit::cpu {

/// Rows of memory; sizes are in bytes. Matrices are stored by columns, so each column of a matrix is one row
/// of a Piece.
struct Piece {
    const void* begin;
    std::size_t width, height, pitch;
};
using Pieces = std::vector<Piece>;

template <class T>
Pieces vector(int n, const T* x, int step) {
    const std::size_t stride = static_cast<std::size_t>(step < 0 ? -static_cast<long long>(step) : step),
                      size = sizeof(T);
    if (n <= 0) return {};
    if (stride == 1) return {{x, static_cast<std::size_t>(n) * size, 1, static_cast<std::size_t>(n) * size}};
    return {{x, size, static_cast<std::size_t>(n), stride * size}};
}

template <class T>
Pieces matrix(int rows, int columns, const T* a, int lda) {
    if (rows <= 0 || columns <= 0) return {};
    return {{a, static_cast<std::size_t>(rows) * sizeof(T), static_cast<std::size_t>(columns),
             static_cast<std::size_t>(lda) * sizeof(T)}};
}

/// The upper or lower triangle of a matrix of n columns, with its diagonal.
template <class T>
Pieces triangle(cublasFillMode_t uplo, int n, const T* a, int lda) {
    Pieces columns;
    for (int j = 0; j < n; ++j) {
        const bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
        const std::size_t bytes = static_cast<std::size_t>(lower ? n - j : j + 1) * sizeof(T);
        columns.push_back({a + static_cast<std::ptrdiff_t>(j) * lda + (lower ? j : 0), bytes, 1, bytes});
    }
    return columns;
}

/// The upper or lower triangle of a matrix of n columns, stored packed, column by column.
template <class T>
Pieces packed(int n, const T* a) {
    const std::size_t bytes = static_cast<std::size_t>(n) * (static_cast<std::size_t>(n) + 1) / 2 * sizeof(T);
    if (n <= 0) return {};
    return {{a, bytes, 1, bytes}};
}

/// A band matrix in band storage: element (i, j) is in column j, `above - j` rows further down.
template <class T>
Pieces bands(int rows, int columns, int below, int above, const T* a, int lda) {
    Pieces pieces;
    for (int j = 0; j < columns; ++j) {
        const int first = j > above ? j - above : 0, last = j + below < rows ? j + below : rows - 1;
        if (last < first) continue;
        const std::size_t bytes = static_cast<std::size_t>(last - first + 1) * sizeof(T);
        pieces.push_back({a + static_cast<std::ptrdiff_t>(j) * lda + (above + first - j), bytes, 1, bytes});
    }
    return pieces;
}

/// The operands of a queued call. The work names them when it runs, and then computes if ready() returns
/// true.
class Operands {
  public:
    Operands(const char* function, Place place) : function_(function), place_(place) {}

    /// Reads a scalar. The pointer mode of the handle says whether the scalar is in host memory or in device
    /// memory.
    template <class T>
    struct Scalar {
        T host;
        const T* device;
    };
    template <class T>
    T value(const Scalar<T>& scalar) {
        if (!scalar.device) return scalar.host;
        check({scalar.device, sizeof(T), 1, sizeof(T)}, false);
        return error_ == cudaSuccess ? *scalar.device : T{};
    }

    void reads(const Pieces& pieces) {
        for (const Piece& piece : pieces) check(piece, false);
    }
    void writes(const Pieces& pieces) {
        for (const Piece& piece : pieces) {
            check(piece, true);
            written_.push_back(piece);
        }
    }
    void updates(const Pieces& pieces) {
        reads(pieces);
        writes(pieces);
    }
    /// Returns whether the device can use the memory of all operands. If it cannot, a finding has been
    /// reported.
    bool ready() const { return error_ == cudaSuccess; }
    cudaError_t end();

  private:
    void check(const Piece& piece, bool write);

    const char* function_;
    Place place_;
    Pieces written_;
    cudaError_t error_ = cudaSuccess;
};

/// One call of a cuBLAS function of level 1, 2 or 3.
class BlasCall {
  public:
    BlasCall(cublasHandle_t handle, const char* function, Place place)
        : handle_(handle), function_(function), place_(place) {}

    /// Takes a scalar. A scalar in host memory is read now.
    template <class T>
    Operands::Scalar<T> scalar(const T* pointer) const {
        return on_device() ? Operands::Scalar<T>{T{}, pointer}
                           : Operands::Scalar<T>{pointer ? *pointer : T{}, nullptr};
    }
    /// Queues the work in the stream of the handle. `arguments` is false if an argument of the call is
    /// invalid.
    cublasStatus_t queue(bool arguments, std::function<void(Operands&)> work);

    /// Queues work that computes one number for each pointer in `results`. In host pointer mode, the call
    /// waits and then stores the numbers; otherwise the work stores them.
    template <class T>
    cublasStatus_t queue_results(bool arguments, std::vector<T*> results,
                                 std::function<void(Operands&, std::vector<T>&)> work) {
        for (const T* result : results) arguments = arguments && result;
        const auto values = std::make_shared<std::vector<T>>(results.size());
        const bool device = on_device();
        const cublasStatus_t status = queue(arguments, [=](Operands& operands) {
            if (device)
                for (T* result : results) operands.writes({{result, sizeof(T), 1, sizeof(T)}});
            work(operands, *values);
            for (std::size_t i = 0; device && operands.ready() && i < results.size(); ++i)
                *results[i] = (*values)[i];
        });
        if (status != CUBLAS_STATUS_SUCCESS || device) return status;
        if (!wait()) return CUBLAS_STATUS_EXECUTION_FAILED;
        for (std::size_t i = 0; i < results.size(); ++i) *results[i] = (*values)[i];
        return status;
    }

  private:
    bool on_device() const;
    bool wait();

    cublasHandle_t handle_;
    const char* function_;
    Place place_;
};

/// Returns whether the handle exists.
bool is_handle(cublasHandle_t handle);

}  // namespace kit::cpu

// cuBLAS functions of level 1: vectors.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <initializer_list>

#include "call.hpp"
#include "fortran.hpp"

using namespace kit::cpu;

namespace {

template <class T>
bool all(std::initializer_list<const T*> pointers) {
    return std::all_of(pointers.begin(), pointers.end(), [](const T* pointer) { return pointer != nullptr; });
}

template <class T>
cublasStatus_t copy(BlasCall call, int n, const T* x, int incx, T* y, int incy) {
    return call.queue(true, [=](Operands& operands) {
        operands.reads(vector(n, x, incx));
        operands.writes(vector(n, y, incy));
        if (operands.ready()) Fortran<T>::copy(&n, x, &incx, y, &incy);
    });
}

template <class T>
cublasStatus_t swap(BlasCall call, int n, T* x, int incx, T* y, int incy) {
    return call.queue(true, [=](Operands& operands) {
        operands.updates(vector(n, x, incx));
        operands.updates(vector(n, y, incy));
        if (operands.ready()) Fortran<T>::swap(&n, x, &incx, y, &incy);
    });
}

template <class T>
cublasStatus_t scal(BlasCall call, int n, const T* alpha, T* x, int incx) {
    return call.queue(alpha, [=, factor = call.scalar(alpha)](Operands& operands) {
        const T a = operands.value(factor);
        operands.updates(vector(n, x, incx));
        if (operands.ready()) Fortran<T>::scal(&n, &a, x, &incx);
    });
}

template <class T>
cublasStatus_t axpy(BlasCall call, int n, const T* alpha, const T* x, int incx, T* y, int incy) {
    return call.queue(alpha, [=, factor = call.scalar(alpha)](Operands& operands) {
        const T a = operands.value(factor);
        operands.reads(vector(n, x, incx));
        operands.updates(vector(n, y, incy));
        if (operands.ready()) Fortran<T>::axpy(&n, &a, x, &incx, y, &incy);
    });
}

template <class T>
cublasStatus_t dot(BlasCall call, int n, const T* x, int incx, const T* y, int incy, T* result) {
    return call.queue_results<T>(true, {result}, [=](Operands& operands, std::vector<T>& results) {
        operands.reads(vector(n, x, incx));
        operands.reads(vector(n, y, incy));
        if (operands.ready()) results[0] = Fortran<T>::dot(&n, x, &incx, y, &incy);
    });
}

template <class T>
cublasStatus_t nrm2(BlasCall call, int n, const T* x, int incx, T* result) {
    return call.queue_results<T>(true, {result}, [=](Operands& operands, std::vector<T>& results) {
        operands.reads(vector(n, x, incx));
        if (operands.ready()) results[0] = Fortran<T>::nrm2(&n, x, &incx);
    });
}

template <class T>
cublasStatus_t asum(BlasCall call, int n, const T* x, int incx, T* result) {
    return call.queue_results<T>(true, {result}, [=](Operands& operands, std::vector<T>& results) {
        operands.reads(vector(n, x, incx));
        if (operands.ready()) results[0] = Fortran<T>::asum(&n, x, &incx);
    });
}

/// Returns the index, counted from 1, of the first element with the largest or smallest magnitude (as `beats`
/// decides); 0 if n or incx is not positive.
template <class T, class Beats>
cublasStatus_t extreme(BlasCall call, int n, const T* x, int incx, int* result, Beats beats) {
    return call.queue_results<int>(true, {result}, [=](Operands& operands, std::vector<int>& results) {
        results[0] = 0;
        if (n <= 0 || incx <= 0) return;
        operands.reads(vector(n, x, incx));
        if (!operands.ready()) return;
        const auto magnitude = [&](int i) { return std::abs(x[static_cast<std::ptrdiff_t>(i) * incx]); };
        int best = 0;
        for (int i = 1; i < n; ++i)
            if (beats(magnitude(i), magnitude(best))) best = i;
        results[0] = best + 1;
    });
}

template <class T>
cublasStatus_t rot(BlasCall call, int n, T* x, int incx, T* y, int incy, const T* c, const T* s) {
    return call.queue(all({c, s}), [=, cosine = call.scalar(c), sine = call.scalar(s)](Operands& operands) {
        const T cos = operands.value(cosine), sin = operands.value(sine);
        operands.updates(vector(n, x, incx));
        operands.updates(vector(n, y, incy));
        if (operands.ready()) Fortran<T>::rot(&n, x, &incx, y, &incy, &cos, &sin);
    });
}

template <class T>
cublasStatus_t rotg(BlasCall call, T* a, T* b, T* c, T* s) {
    const auto before_a = call.scalar(a), before_b = call.scalar(b);
    return call.queue_results<T>(true, {a, b, c, s}, [=](Operands& operands, std::vector<T>& results) {
        results[0] = operands.value(before_a), results[1] = operands.value(before_b);
        if (operands.ready()) Fortran<T>::rotg(&results[0], &results[1], &results[2], &results[3]);
    });
}

/// The five numbers that describe a modified Givens rotation.
template <class T>
using Rotation = std::array<T, 5>;

template <class T>
std::array<Operands::Scalar<T>, 5> rotation(const BlasCall& call, const T* parameters) {
    std::array<Operands::Scalar<T>, 5> scalars;
    for (std::size_t i = 0; i < scalars.size(); ++i)
        scalars[i] = call.scalar(parameters ? parameters + i : nullptr);
    return scalars;
}

template <class T>
cublasStatus_t rotm(BlasCall call, int n, T* x, int incx, T* y, int incy, const T* parameters) {
    return call.queue(parameters, [=, scalars = rotation(call, parameters)](Operands& operands) {
        Rotation<T> values;
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = operands.value(scalars[i]);
        operands.updates(vector(n, x, incx));
        operands.updates(vector(n, y, incy));
        if (operands.ready()) Fortran<T>::rotm(&n, x, &incx, y, &incy, values.data());
    });
}

template <class T>
cublasStatus_t rotmg(BlasCall call, T* d1, T* d2, T* x1, const T* y1, T* parameters) {
    const auto first = call.scalar(d1), second = call.scalar(d2), x = call.scalar(x1), y = call.scalar(y1);
    const auto kept = rotation(call, static_cast<const T*>(parameters));
    std::vector<T*> results{d1, d2, x1};
    for (int i = 0; i < 5; ++i) results.push_back(parameters ? parameters + i : nullptr);
    return call.queue_results<T>(y1, results, [=](Operands& operands, std::vector<T>& values) {
        values[0] = operands.value(first), values[1] = operands.value(second), values[2] = operands.value(x);
        const T last = operands.value(y);
        for (std::size_t i = 0; i < kept.size(); ++i)
            values[3 + i] = kept[i].device ? *kept[i].device : kept[i].host;
        if (operands.ready()) Fortran<T>::rotmg(&values[0], &values[1], &values[2], &last, &values[3]);
    });
}

}  // namespace

#define KIT_BLAS_DEFINE(L, l, T)                                                                             \
    cublasStatus_t cublasI##l##amax(cublasHandle_t handle, int n, const T* x, int incx, int* result) {       \
        return extreme<T>(BlasCall(handle, "cublasI" #l "amax", KIT_CALLER), n, x, incx, result,             \
                          std::greater<T>{});                                                                \
    }                                                                                                        \
    cublasStatus_t cublasI##l##amin(cublasHandle_t handle, int n, const T* x, int incx, int* result) {       \
        return extreme<T>(BlasCall(handle, "cublasI" #l "amin", KIT_CALLER), n, x, incx, result,             \
                          std::less<T>{});                                                                   \
    }                                                                                                        \
    cublasStatus_t cublas##L##copy(cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy) {     \
        return copy<T>(BlasCall(handle, "cublas" #L "copy", KIT_CALLER), n, x, incx, y, incy);               \
    }                                                                                                        \
    cublasStatus_t cublas##L##swap(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy) {           \
        return swap<T>(BlasCall(handle, "cublas" #L "swap", KIT_CALLER), n, x, incx, y, incy);               \
    }                                                                                                        \
    cublasStatus_t cublas##L##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int incx) {           \
        return scal<T>(BlasCall(handle, "cublas" #L "scal", KIT_CALLER), n, alpha, x, incx);                 \
    }                                                                                                        \
    cublasStatus_t cublas##L##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y, \
                                   int incy) {                                                               \
        return axpy<T>(BlasCall(handle, "cublas" #L "axpy", KIT_CALLER), n, alpha, x, incx, y, incy);        \
    }                                                                                                        \
    cublasStatus_t cublas##L##dot(cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy,  \
                                  T* result) {                                                               \
        return dot<T>(BlasCall(handle, "cublas" #L "dot", KIT_CALLER), n, x, incx, y, incy, result);         \
    }                                                                                                        \
    cublasStatus_t cublas##L##nrm2(cublasHandle_t handle, int n, const T* x, int incx, T* result) {          \
        return nrm2<T>(BlasCall(handle, "cublas" #L "nrm2", KIT_CALLER), n, x, incx, result);                \
    }                                                                                                        \
    cublasStatus_t cublas##L##asum(cublasHandle_t handle, int n, const T* x, int incx, T* result) {          \
        return asum<T>(BlasCall(handle, "cublas" #L "asum", KIT_CALLER), n, x, incx, result);                \
    }                                                                                                        \
    cublasStatus_t cublas##L##rot(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy, const T* c,  \
                                  const T* s) {                                                              \
        return rot<T>(BlasCall(handle, "cublas" #L "rot", KIT_CALLER), n, x, incx, y, incy, c, s);           \
    }                                                                                                        \
    cublasStatus_t cublas##L##rotg(cublasHandle_t handle, T* a, T* b, T* c, T* s) {                          \
        return rotg<T>(BlasCall(handle, "cublas" #L "rotg", KIT_CALLER), a, b, c, s);                        \
    }                                                                                                        \
    cublasStatus_t cublas##L##rotm(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy,             \
                                   const T* param) {                                                         \
        return rotm<T>(BlasCall(handle, "cublas" #L "rotm", KIT_CALLER), n, x, incx, y, incy, param);        \
    }                                                                                                        \
    cublasStatus_t cublas##L##rotmg(cublasHandle_t handle, T* d1, T* d2, T* x1, const T* y1, T* param) {     \
        return rotmg<T>(BlasCall(handle, "cublas" #L "rotmg", KIT_CALLER), d1, d2, x1, y1, param);           \
    }

KIT_BLAS_DEFINE(S, s, float)
KIT_BLAS_DEFINE(D, d, double)
#undef KIT_BLAS_DEFINE

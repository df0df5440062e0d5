// Complex numbers and their arithmetic, under CUDA's names.
#pragma once
#define CU_COMPLEX_H_

#include <math.h>
#include <vector_types.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/// Defines the functions for one precision. `suffix` is f for float and empty for double, as in cuCaddf and
/// cuCadd.
#define KIT_CPU_COMPLEX(Real, Complex, suffix)                                       \
    inline Real cuCreal##suffix(Complex x) {                                         \
        return x.x;                                                                  \
    }                                                                                \
    inline Real cuCimag##suffix(Complex x) {                                         \
        return x.y;                                                                  \
    }                                                                                \
    inline Complex cuConj##suffix(Complex x) {                                       \
        return {x.x, -x.y};                                                          \
    }                                                                                \
    inline Complex cuCadd##suffix(Complex x, Complex y) {                            \
        return {x.x + y.x, x.y + y.y};                                               \
    }                                                                                \
    inline Complex cuCsub##suffix(Complex x, Complex y) {                            \
        return {x.x - y.x, x.y - y.y};                                               \
    }                                                                                \
    inline Complex cuCmul##suffix(Complex x, Complex y) {                            \
        return {x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x};                       \
    }                                                                                \
    inline Complex cuCfma##suffix(Complex x, Complex y, Complex z) {                 \
        return cuCadd##suffix(cuCmul##suffix(x, y), z);                              \
    }                                                                                \
    inline Real cuCabs##suffix(Complex x) {                                          \
        return hypot##suffix(x.x, x.y);                                              \
    }                                                                                \
    /* Scaled first, so that the squares of large numbers do not overflow. */        \
    inline Complex cuCdiv##suffix(Complex x, Complex y) {                            \
        const Real scale = 1 / (fabs##suffix(y.x) + fabs##suffix(y.y));              \
        const Complex a{x.x * scale, x.y * scale}, b{y.x * scale, y.y * scale};      \
        const Real square = b.x * b.x + b.y * b.y;                                   \
        return {(a.x * b.x + a.y * b.y) / square, (a.y * b.x - a.x * b.y) / square}; \
    }

KIT_CPU_COMPLEX(float, cuFloatComplex, f)
KIT_CPU_COMPLEX(double, cuDoubleComplex, )
#undef KIT_CPU_COMPLEX

inline cuFloatComplex make_cuFloatComplex(float x, float y) {
    return {x, y};
}
inline cuDoubleComplex make_cuDoubleComplex(double x, double y) {
    return {x, y};
}
inline cuComplex make_cuComplex(float x, float y) {
    return {x, y};
}
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) {
    return {x.x, x.y};
}
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
    return {static_cast<float>(x.x), static_cast<float>(x.y)};
}

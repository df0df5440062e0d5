// Special functions of CUDA's language that the C library lacks: inverse error functions, scaled erfc, Bessel
// functions, and norms of any dimension.
#pragma once

#include <host_defines.h>
#include <math.h>

#include <kit_cpu/math.hpp>

inline double erfinv(double y);

/// Returns the x with erfc(x) == y, with a rational approximation (Abramowitz and Stegun, 26.2.23) that
/// Halley's method improves.
inline double erfcinv(double y) {
    if (!(y >= 0.0 && y <= 2.0)) return NAN;
    if (y == 0.0 || y == 2.0) return y == 0.0 ? INFINITY : -INFINITY;
    if (y >= 0.5 && y <= 1.5) return erfinv(1.0 - y);
    if (y > 1.0) return -erfcinv(2.0 - y);
    const double t = sqrt(-2.0 * log(0.5 * y));
    double x = M_SQRT1_2 * (t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                                    (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
    for (int i = 0; i < 3; ++i) {
        const double error = erfc(x) - y;
        const double slope = M_2_SQRTPI * exp(-x * x);
        if (slope == 0.0) break;
        x += error / (slope - x * error);
    }
    return x;
}

/// Returns the x with erf(x) == y.
inline double erfinv(double y) {
    if (fabs(y) > 0.5) return y > 0.0 ? erfcinv(1.0 - y) : -erfcinv(1.0 + y);
    double x = y / M_2_SQRTPI;
    for (int i = 0; i < 5; ++i) {
        const double error = erf(x) - y;
        x -= error / (M_2_SQRTPI * exp(-x * x) + x * error);
    }
    return y == 0.0 || y != y ? y : x;
}

inline double normcdfinv(double y) {
    return -M_SQRT2 * erfcinv(2.0 * y);
}

/// Returns exp(x * x) * erfc(x).
inline double erfcx(double x) {
    if (x < 10.0) {
        const double square = x * x;
        return exp(square) * (1.0 + fma(x, x, -square)) * erfc(x);
    }
    double sum = 1.0, term = 1.0;
    for (int k = 1; k < 12; ++k) sum += term *= -(2 * k - 1) / (2.0 * x * x);
    return sum * (0.5 * M_2_SQRTPI) / x;
}

namespace kit::cpu {

/// Returns the sum of the power series of the modified Bessel functions. All terms are positive, so the sum
/// loses no digits.
inline double bessel_i(int order, double x) {
    double sum = 1.0, term = 1.0;
    for (int k = 1; term > 1e-17 * sum && sum < INFINITY; ++k)
        sum += term *= 0.25 * x * x / (static_cast<double>(k) * (k + order));
    return order == 0 ? sum : 0.5 * x * sum;
}

template <class T>
T norm_of(int count, const T* values) {
    double result = 0.0;
    for (int i = 0; i < count; ++i) result = hypot(result, static_cast<double>(values[i]));
    return static_cast<T>(result);
}

}  // namespace kit::cpu

inline double cyl_bessel_i0(double x) {
    return kit::cpu::bessel_i(0, x);
}
inline double cyl_bessel_i1(double x) {
    return kit::cpu::bessel_i(1, x);
}
inline double norm(int count, const double* values) {
    return kit::cpu::norm_of(count, values);
}
inline float normf(int count, const float* values) {
    return kit::cpu::norm_of(count, values);
}
inline double rnorm(int count, const double* values) {
    return 1.0 / norm(count, values);
}
inline float rnormf(int count, const float* values) {
    return 1.0f / normf(count, values);
}
inline double fdivide(double a, double b) {
    return a / b;
}

// The float versions NAMEf(float), some of which are in the C library, and NAME(float).
#define KIT_CPU_OVERLOAD(name)   \
    inline float name(float x) { \
        return name##f(x);       \
    }
#define KIT_CPU_FLOAT(name)                                      \
    inline float name##f(float x) {                              \
        return static_cast<float>(name(static_cast<double>(x))); \
    }                                                            \
    KIT_CPU_OVERLOAD(name)
KIT_CPU_FLOAT(erfcinv)
KIT_CPU_FLOAT(erfinv)
KIT_CPU_FLOAT(normcdfinv)
KIT_CPU_FLOAT(erfcx)
KIT_CPU_OVERLOAD(exp10)
KIT_CPU_OVERLOAD(rcbrt)
KIT_CPU_OVERLOAD(sinpi)
KIT_CPU_OVERLOAD(cospi)
KIT_CPU_OVERLOAD(normcdf)
KIT_CPU_OVERLOAD(j0)
KIT_CPU_OVERLOAD(j1)
KIT_CPU_OVERLOAD(y0)
KIT_CPU_OVERLOAD(y1)
#undef KIT_CPU_FLOAT
#undef KIT_CPU_OVERLOAD

inline float cyl_bessel_i0f(float x) {
    return static_cast<float>(cyl_bessel_i0(static_cast<double>(x)));
}
inline float cyl_bessel_i1f(float x) {
    return static_cast<float>(cyl_bessel_i1(static_cast<double>(x)));
}
inline float jn(int n, float x) {
    return jnf(n, x);
}
inline float yn(int n, float x) {
    return ynf(n, x);
}
inline void sincos(float x, float* sine, float* cosine) {
    sincosf(x, sine, cosine);
}
inline void sincospi(float x, float* sine, float* cosine) {
    sincospif(x, sine, cosine);
}
inline float __fmaf_ieee_rn(float a, float b, float c) {
    return fmaf(a, b, c);
}

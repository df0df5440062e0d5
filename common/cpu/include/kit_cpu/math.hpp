// Mathematical functions of CUDA's language: functions that <math.h> lacks, min and max, and the fast
// intrinsics. Here, a fast intrinsic is as accurate as the slower function, which is not the case on a GPU.
#pragma once

#include <host_defines.h>
#include <math.h>
#include <stdlib.h>

#include <kit_cpu/undefined.hpp>

// min and max with CUDA's overloads: mixed signs are converted to unsigned, mixed precisions to double.
#define KIT_CPU_MIN_MAX(Result, A, B)                                                    \
    constexpr Result min(A a, B b) {                                                     \
        return static_cast<Result>(a) < static_cast<Result>(b) ? static_cast<Result>(a)  \
                                                               : static_cast<Result>(b); \
    }                                                                                    \
    constexpr Result max(A a, B b) {                                                     \
        return static_cast<Result>(a) < static_cast<Result>(b) ? static_cast<Result>(b)  \
                                                               : static_cast<Result>(a); \
    }
#define KIT_CPU_MIN_MAX_INTEGER(T)                            \
    constexpr T min(T a, T b) {                               \
        return kit::cpu::extreme(a, b, b < a ? b : a, false); \
    }                                                         \
    constexpr T max(T a, T b) {                               \
        return kit::cpu::extreme(a, b, a < b ? b : a, true);  \
    }                                                         \
                                                              \
    KIT_CPU_MIN_MAX(unsigned T, unsigned T, unsigned T)       \
    KIT_CPU_MIN_MAX(unsigned T, T, unsigned T)                \
    KIT_CPU_MIN_MAX(unsigned T, unsigned T, T)

KIT_CPU_MIN_MAX_INTEGER(int)
KIT_CPU_MIN_MAX_INTEGER(long)
KIT_CPU_MIN_MAX_INTEGER(long long)
#undef KIT_CPU_MIN_MAX_INTEGER
#undef KIT_CPU_MIN_MAX

inline float min(float a, float b) {
    return fminf(a, b);
}
inline float max(float a, float b) {
    return fmaxf(a, b);
}
inline double min(double a, double b) {
    return fmin(a, b);
}
inline double max(double a, double b) {
    return fmax(a, b);
}
inline double min(float a, double b) {
    return fmin(static_cast<double>(a), b);
}
inline double min(double a, float b) {
    return fmin(a, static_cast<double>(b));
}
inline double max(float a, double b) {
    return fmax(static_cast<double>(a), b);
}
inline double max(double a, float b) {
    return fmax(a, static_cast<double>(b));
}

constexpr unsigned umin(unsigned a, unsigned b) {
    return b < a ? b : a;
}
constexpr unsigned umax(unsigned a, unsigned b) {
    return a < b ? b : a;
}
constexpr long long llmin(long long a, long long b) {
    return min(a, b);
}
constexpr long long llmax(long long a, long long b) {
    return max(a, b);
}
constexpr unsigned long long ullmin(unsigned long long a, unsigned long long b) {
    return b < a ? b : a;
}
constexpr unsigned long long ullmax(unsigned long long a, unsigned long long b) {
    return a < b ? b : a;
}

inline double rsqrt(double x) {
    return 1.0 / sqrt(x);
}
inline float rsqrtf(float x) {
    return static_cast<float>(1.0 / sqrt(static_cast<double>(x)));
}
inline float rsqrt(float x) {
    return rsqrtf(x);
}
inline double rcbrt(double x) {
    return 1.0 / cbrt(x);
}
inline float rcbrtf(float x) {
    return static_cast<float>(1.0 / cbrt(static_cast<double>(x)));
}

/// Returns sin or cos of pi * x, which is exact at multiples of one half.
inline double sinpi(double x) {
    const double r = remainder(x, 2.0);  // from -1 to 1
    if (r == 0.0 || fabs(r) == 1.0) return copysign(0.0, x);
    return fabs(r) == 0.5 ? copysign(1.0, r) : sin(M_PI * r);
}
inline double cospi(double x) {
    const double r = fabs(remainder(x, 2.0));
    return r == 0.5 ? 0.0 : cos(M_PI * r);
}
inline float sinpif(float x) {
    return static_cast<float>(sinpi(static_cast<double>(x)));
}
inline float cospif(float x) {
    return static_cast<float>(cospi(static_cast<double>(x)));
}
inline void sincospi(double x, double* sine, double* cosine) {
    *sine = sinpi(x), *cosine = cospi(x);
}
inline void sincospif(float x, float* sine, float* cosine) {
    *sine = sinpif(x), *cosine = cospif(x);
}

inline double norm3d(double a, double b, double c) {
    return hypot(hypot(a, b), c);
}
inline double norm4d(double a, double b, double c, double d) {
    return hypot(hypot(a, b), hypot(c, d));
}
inline double rhypot(double a, double b) {
    return 1.0 / hypot(a, b);
}
inline double rnorm3d(double a, double b, double c) {
    return 1.0 / norm3d(a, b, c);
}
inline double rnorm4d(double a, double b, double c, double d) {
    return 1.0 / norm4d(a, b, c, d);
}
inline float norm3df(float a, float b, float c) {
    return static_cast<float>(norm3d(a, b, c));
}
inline float norm4df(float a, float b, float c, float d) {
    return static_cast<float>(norm4d(a, b, c, d));
}
inline float rhypotf(float a, float b) {
    return static_cast<float>(rhypot(a, b));
}
inline float rnorm3df(float a, float b, float c) {
    return static_cast<float>(rnorm3d(a, b, c));
}
inline float rnorm4df(float a, float b, float c, float d) {
    return static_cast<float>(rnorm4d(a, b, c, d));
}

inline double normcdf(double x) {
    return 0.5 * erfc(-x * M_SQRT1_2);
}
inline float normcdff(float x) {
    return static_cast<float>(normcdf(static_cast<double>(x)));
}
inline float fdividef(float a, float b) {
    return a / b;
}
inline float __saturatef(float x) {
    return x >= 0.0f ? (x <= 1.0f ? x : 1.0f) : 0.0f;
}

// The C library declares some of these names, as functions that do not throw.
inline float __sinf(float x) noexcept {
    return sinf(x);
}
inline float __cosf(float x) noexcept {
    return cosf(x);
}
inline float __tanf(float x) noexcept {
    return tanf(x);
}
inline float __expf(float x) noexcept {
    return expf(x);
}
inline float __exp10f(float x) noexcept {
    return static_cast<float>(pow(10.0, static_cast<double>(x)));
}
inline float __logf(float x) noexcept {
    return logf(x);
}
inline float __log2f(float x) noexcept {
    return log2f(x);
}
inline float __log10f(float x) noexcept {
    return log10f(x);
}
inline float __powf(float x, float y) noexcept {
    return powf(x, y);
}
inline float __tanhf(float x) noexcept {
    return tanhf(x);
}
inline void __sincosf(float x, float* sine, float* cosine) noexcept {
    *sine = sinf(x), *cosine = cosf(x);
}
inline float __fdividef(float a, float b) {
    return a / b;
}

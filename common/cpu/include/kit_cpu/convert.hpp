// Conversions and arithmetic with a chosen rounding mode: to nearest even (_rn), towards zero (_rz), up
// (_ru), down (_rd). Conversions to integers saturate at the limits of the type and turn NaN into 0, as on a
// GPU.
#pragma once

#include <host_defines.h>
#include <limits.h>
#include <math.h>
#include <string.h>

namespace kit::cpu {

enum class Rounding { nearest, zero, up, down };

template <class To, class From>
inline To bit_copy(From from) {
    static_assert(sizeof(To) == sizeof(From), "same size");
    To to;
    memcpy(&to, &from, sizeof(To));
    return to;
}

inline float next_below(float x) {
    return nextafterf(x, -INFINITY);
}
inline float next_above(float x) {
    return nextafterf(x, INFINITY);
}
inline double next_below(double x) {
    return nextafter(x, -static_cast<double>(INFINITY));
}
inline double next_above(double x) {
    return nextafter(x, static_cast<double>(INFINITY));
}

/// Rounds as `rounding` says: moves `value` to an adjacent number if necessary. `error` has the sign of
/// (exact result - value).
template <class Real>
Real adjust(Real value, double error, Rounding rounding) {
    if (error == 0 || error != error || rounding == Rounding::nearest) return value;
    if (rounding == Rounding::zero) {
        const bool positive = value > 0 || (value == 0 && error > 0);
        rounding = positive ? Rounding::down : Rounding::up;
    }
    if (rounding == Rounding::down) return error < 0 ? next_below(value) : value;
    return error > 0 ? next_above(value) : value;
}

inline float to_float(double value, Rounding rounding) {
    const float nearest = static_cast<float>(value);
    return adjust(nearest, isinf(value) ? 0.0 : value - static_cast<double>(nearest), rounding);
}

inline double whole(double value, Rounding rounding) {
    switch (rounding) {
        case Rounding::nearest:
            return nearbyint(value);
        case Rounding::zero:
            return trunc(value);
        case Rounding::up:
            return ceil(value);
        default:
            return floor(value);
    }
}

/// Converts to an integer with saturation. The value is compared with powers of two, which every
/// floating-point type represents exactly.
template <class Integer>
Integer to_integer(double value, Rounding rounding, Integer lowest, Integer highest) {
    if (value != value) return 0;
    value = whole(value, rounding);
    if (value <= static_cast<double>(lowest)) return lowest;
    if (value >= static_cast<double>(highest)) return highest;
    return static_cast<Integer>(value);
}

template <class Real, class Integer>
Real from_integer(Integer value, Rounding rounding) {
    const Real nearest = static_cast<Real>(value);
    const Real end =
        Integer(-1) < 0 ? Real(0x1p63) : Real(0x1p64);  // one more than the largest value of the integer type
    if (nearest >= end) return adjust(nearest, -1.0, rounding);
    const Integer back = static_cast<Integer>(nearest);
    return adjust(nearest, back < value ? 1.0 : back > value ? -1.0 : 0.0, rounding);
}

/// Sum, product, quotient, square root and a * b + c. Each function computes the nearest value and the sign of
/// its rounding error, and then adjusts the value.
inline double sum_error(double a, double b, double sum) {
    const double part = sum - a;
    return (a - (sum - part)) + (b - part);
}
inline float add(float a, float b, Rounding rounding) {
    const double sum = static_cast<double>(a) + b, error = sum_error(a, b, sum);
    const float nearest = a + b;
    return adjust(nearest, (sum - static_cast<double>(nearest)) + error, rounding);
}
inline double add(double a, double b, Rounding rounding) {
    return adjust(a + b, sum_error(a, b, a + b), rounding);
}
inline float multiply(float a, float b, Rounding rounding) {
    return to_float(static_cast<double>(a) * b, rounding);
}
inline double multiply(double a, double b, Rounding rounding) {
    return adjust(a * b, fma(a, b, -(a * b)), rounding);
}
template <class Real>
Real divide(Real a, Real b, Rounding rounding) {
    const Real nearest = a / b;
    const double rest = fma(-static_cast<double>(nearest), static_cast<double>(b), static_cast<double>(a));
    return adjust(nearest, signbit(b) ? -rest : rest, rounding);
}
template <class Real>
Real root(Real x, Rounding rounding) {
    const Real nearest = sqrt(x);
    return adjust(nearest,
                  fma(-static_cast<double>(nearest), static_cast<double>(nearest), static_cast<double>(x)),
                  rounding);
}
inline float multiply_add(float a, float b, float c, Rounding rounding) {
    const double product = static_cast<double>(a) * b, sum = product + c, error = sum_error(product, c, sum);
    const float nearest = fmaf(a, b, c);
    return adjust(nearest, (sum - static_cast<double>(nearest)) + error, rounding);
}

}  // namespace kit::cpu

#define KIT_CPU_ROUNDED(suffix, rounding)                               \
    inline int __float2int_##suffix(float x) {                          \
        return kit::cpu::to_integer(x, rounding, INT_MIN, INT_MAX);     \
    }                                                                   \
    inline unsigned __float2uint_##suffix(float x) {                    \
        return kit::cpu::to_integer(x, rounding, 0u, UINT_MAX);         \
    }                                                                   \
    inline long long __float2ll_##suffix(float x) {                     \
        return kit::cpu::to_integer(x, rounding, LLONG_MIN, LLONG_MAX); \
    }                                                                   \
    inline unsigned long long __float2ull_##suffix(float x) {           \
        return kit::cpu::to_integer(x, rounding, 0ull, ULLONG_MAX);     \
    }                                                                   \
    inline int __double2int_##suffix(double x) {                        \
        return kit::cpu::to_integer(x, rounding, INT_MIN, INT_MAX);     \
    }                                                                   \
    inline unsigned __double2uint_##suffix(double x) {                  \
        return kit::cpu::to_integer(x, rounding, 0u, UINT_MAX);         \
    }                                                                   \
    inline long long __double2ll_##suffix(double x) {                   \
        return kit::cpu::to_integer(x, rounding, LLONG_MIN, LLONG_MAX); \
    }                                                                   \
    inline unsigned long long __double2ull_##suffix(double x) {         \
        return kit::cpu::to_integer(x, rounding, 0ull, ULLONG_MAX);     \
    }                                                                   \
    inline float __int2float_##suffix(int x) {                          \
        return kit::cpu::to_float(x, rounding);                         \
    }                                                                   \
    inline float __uint2float_##suffix(unsigned x) {                    \
        return kit::cpu::to_float(x, rounding);                         \
    }                                                                   \
    inline float __ll2float_##suffix(long long x) {                     \
        return kit::cpu::from_integer<float>(x, rounding);              \
    }                                                                   \
    inline float __ull2float_##suffix(unsigned long long x) {           \
        return kit::cpu::from_integer<float>(x, rounding);              \
    }                                                                   \
    inline double __ll2double_##suffix(long long x) {                   \
        return kit::cpu::from_integer<double>(x, rounding);             \
    }                                                                   \
    inline double __ull2double_##suffix(unsigned long long x) {         \
        return kit::cpu::from_integer<double>(x, rounding);             \
    }                                                                   \
    inline float __double2float_##suffix(double x) {                    \
        return kit::cpu::to_float(x, rounding);                         \
    }                                                                   \
    inline float __fadd_##suffix(float a, float b) {                    \
        return kit::cpu::add(a, b, rounding);                           \
    }                                                                   \
    inline float __fsub_##suffix(float a, float b) {                    \
        return kit::cpu::add(a, -b, rounding);                          \
    }                                                                   \
    inline float __fmul_##suffix(float a, float b) {                    \
        return kit::cpu::multiply(a, b, rounding);                      \
    }                                                                   \
    inline float __fdiv_##suffix(float a, float b) {                    \
        return kit::cpu::divide(a, b, rounding);                        \
    }                                                                   \
    inline float __frcp_##suffix(float a) {                             \
        return kit::cpu::divide(1.0f, a, rounding);                     \
    }                                                                   \
    inline float __fsqrt_##suffix(float a) {                            \
        return kit::cpu::root(a, rounding);                             \
    }                                                                   \
    inline float __fmaf_##suffix(float a, float b, float c) {           \
        return kit::cpu::multiply_add(a, b, c, rounding);               \
    }                                                                   \
    inline double __dadd_##suffix(double a, double b) {                 \
        return kit::cpu::add(a, b, rounding);                           \
    }                                                                   \
    inline double __dsub_##suffix(double a, double b) {                 \
        return kit::cpu::add(a, -b, rounding);                          \
    }                                                                   \
    inline double __dmul_##suffix(double a, double b) {                 \
        return kit::cpu::multiply(a, b, rounding);                      \
    }                                                                   \
    inline double __ddiv_##suffix(double a, double b) {                 \
        return kit::cpu::divide(a, b, rounding);                        \
    }                                                                   \
    inline double __drcp_##suffix(double a) {                           \
        return kit::cpu::divide(1.0, a, rounding);                      \
    }                                                                   \
    inline double __dsqrt_##suffix(double a) {                          \
        return kit::cpu::root(a, rounding);                             \
    }

KIT_CPU_ROUNDED(rn, kit::cpu::Rounding::nearest)
KIT_CPU_ROUNDED(rz, kit::cpu::Rounding::zero)
KIT_CPU_ROUNDED(ru, kit::cpu::Rounding::up)
KIT_CPU_ROUNDED(rd, kit::cpu::Rounding::down)
#undef KIT_CPU_ROUNDED

inline double __fma_rn(double a, double b, double c) {
    return fma(a, b, c);
}
inline float __frsqrt_rn(float x) {
    return static_cast<float>(1.0 / sqrt(static_cast<double>(x)));
}
inline double __int2double_rn(int x) {
    return x;
}
inline double __uint2double_rn(unsigned x) {
    return x;
}

// Functions that reinterpret the bits of a number as a different type.
inline int __float_as_int(float x) {
    return kit::cpu::bit_copy<int>(x);
}
inline unsigned __float_as_uint(float x) {
    return kit::cpu::bit_copy<unsigned>(x);
}
inline float __int_as_float(int x) {
    return kit::cpu::bit_copy<float>(x);
}
inline float __uint_as_float(unsigned x) {
    return kit::cpu::bit_copy<float>(x);
}
inline long long __double_as_longlong(double x) {
    return kit::cpu::bit_copy<long long>(x);
}
inline double __longlong_as_double(long long x) {
    return kit::cpu::bit_copy<double>(x);
}
inline int __double2hiint(double x) {
    return static_cast<int>(__double_as_longlong(x) >> 32);
}
inline int __double2loint(double x) {
    return static_cast<int>(__double_as_longlong(x) & 0xffffffffll);
}
inline double __hiloint2double(int high, int low) {
    const unsigned long long bits =
        static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 | static_cast<unsigned>(low);
    return kit::cpu::bit_copy<double>(bits);
}

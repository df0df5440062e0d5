// Numbers with 5 bits of exponent and 10 of fraction, for the CPU executor: computed in larger ones, and rounded once.
#pragma once
#define __CUDA_FP16_H__

#include <cuda_runtime.h>

#include <kit_cpu/small_float.hpp>

#define KIT_SMALL __half
#define KIT_SMALL_RAW __half_raw
#define KIT_SMALL2 __half2
#define KIT_SMALL2_RAW __half2_raw
#define KIT_SMALL_EXPONENT 5
#include <kit_cpu/small_float.inl>
#undef KIT_SMALL
#undef KIT_SMALL_RAW
#undef KIT_SMALL2
#undef KIT_SMALL2_RAW
#undef KIT_SMALL_EXPONENT

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

// ---- Conversions -----------------------------------------------------------------------------------------

inline __half __float2half(float value) {
    return kit::cpu::make_small<__half>(value);
}
inline __half __double2half(double value) {
    return kit::cpu::make_small<__half>(value);
}
inline float __half2float(__half value) {
    return value;
}
inline __half __ushort_as_half(unsigned short bits) {
    return __half_raw{bits};
}
inline __half __short_as_half(short bits) {
    return __half_raw{static_cast<unsigned short>(bits)};
}
inline unsigned short __half_as_ushort(__half value) {
    return __half_raw(value).x;
}
inline short __half_as_short(__half value) {
    return static_cast<short>(__half_raw(value).x);
}

#define KIT_CPU_ROUNDINGS(X, name, T) \
    X(rn, nearest, name, T)           \
    X(rz, zero, name, T)              \
    X(rd, down, name, T)              \
    X(ru, up, name, T)

#define KIT_CPU_FROM_FLOAT(suffix, rounding, name, Float)                         \
    inline __half __##name##2half_##suffix(Float value) {                         \
        return kit::cpu::make_small<__half>(value, kit::cpu::Rounding::rounding); \
    }
KIT_CPU_ROUNDINGS(KIT_CPU_FROM_FLOAT, float, float)

#define KIT_CPU_INTEGER(suffix, rounding, name, Integer)                                  \
    inline __half __##name##2half_##suffix(Integer value) {                               \
        return kit::cpu::small_from_integer<__half>(value, kit::cpu::Rounding::rounding); \
    }                                                                                     \
    inline Integer __half2##name##_##suffix(__half value) {                               \
        return kit::cpu::small_to_integer<Integer>(value, kit::cpu::Rounding::rounding);  \
    }
KIT_CPU_ROUNDINGS(KIT_CPU_INTEGER, short, short)
KIT_CPU_ROUNDINGS(KIT_CPU_INTEGER, ushort, unsigned short)
KIT_CPU_ROUNDINGS(KIT_CPU_INTEGER, int, int)
KIT_CPU_ROUNDINGS(KIT_CPU_INTEGER, uint, unsigned)
KIT_CPU_ROUNDINGS(KIT_CPU_INTEGER, ll, long long)
KIT_CPU_ROUNDINGS(KIT_CPU_INTEGER, ull, unsigned long long)
#undef KIT_CPU_ROUNDINGS
#undef KIT_CPU_FROM_FLOAT
#undef KIT_CPU_INTEGER

inline signed char __half2char_rz(__half value) {
    return kit::cpu::small_to_integer<signed char>(value, kit::cpu::Rounding::zero);
}
inline unsigned char __half2uchar_rz(__half value) {
    return kit::cpu::small_to_integer<unsigned char>(value, kit::cpu::Rounding::zero);
}

// ---- Two numbers -----------------------------------------------------------------------------------------

inline __half2 make_half2(__half x, __half y) {
    return {x, y};
}
inline __half2 __halves2half2(__half x, __half y) {
    return {x, y};
}
inline __half2 __half2half2(__half value) {
    return {value, value};
}
inline __half2 __float2half2_rn(float value) {
    return {__float2half(value), __float2half(value)};
}
inline __half2 __floats2half2_rn(float x, float y) {
    return {__float2half(x), __float2half(y)};
}
inline __half2 __float22half2_rn(float2 values) {
    return __floats2half2_rn(values.x, values.y);
}
inline float2 __half22float2(__half2 values) {
    return {values.x, values.y};
}
inline __half __low2half(__half2 values) {
    return values.x;
}
inline __half __high2half(__half2 values) {
    return values.y;
}
inline __half2 __low2half2(__half2 values) {
    return {values.x, values.x};
}
inline __half2 __high2half2(__half2 values) {
    return {values.y, values.y};
}
inline __half2 __lows2half2(__half2 a, __half2 b) {
    return {a.x, b.x};
}
inline __half2 __highs2half2(__half2 a, __half2 b) {
    return {a.y, b.y};
}

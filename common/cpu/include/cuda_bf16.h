// Numbers with the 8 bits of exponent of a float and 7 of fraction, for the CPU executor: computed in larger ones, and rounded
// once.
#pragma once
#define __CUDA_BF16_H__

#include <cuda_runtime.h>

#include <kit_cpu/small_float.hpp>

#define KIT_SMALL __nv_bfloat16
#define KIT_SMALL_RAW __nv_bfloat16_raw
#define KIT_SMALL2 __nv_bfloat162
#define KIT_SMALL2_RAW __nv_bfloat162_raw
#define KIT_SMALL_EXPONENT 8
#include <kit_cpu/small_float.inl>
#undef KIT_SMALL
#undef KIT_SMALL_RAW
#undef KIT_SMALL2
#undef KIT_SMALL2_RAW
#undef KIT_SMALL_EXPONENT

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

// ---- Conversions -----------------------------------------------------------------------------------------

inline __nv_bfloat16 __float2bfloat16(float value) {
    return kit::cpu::make_small<__nv_bfloat16>(value);
}
inline __nv_bfloat16 __double2bfloat16(double value) {
    return kit::cpu::make_small<__nv_bfloat16>(value);
}
inline float __bfloat162float(__nv_bfloat16 value) {
    return value;
}
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
    return __nv_bfloat16_raw{bits};
}
inline __nv_bfloat16 __short_as_bfloat16(short bits) {
    return __nv_bfloat16_raw{static_cast<unsigned short>(bits)};
}
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 value) {
    return __nv_bfloat16_raw(value).x;
}
inline short __bfloat16_as_short(__nv_bfloat16 value) {
    return static_cast<short>(__nv_bfloat16_raw(value).x);
}

#define KIT_CPU_ROUNDINGS(X, name, T) \
    X(rn, nearest, name, T)           \
    X(rz, zero, name, T)              \
    X(rd, down, name, T)              \
    X(ru, up, name, T)

#define KIT_CPU_FROM_FLOAT(suffix, rounding, name, Float)                                \
    inline __nv_bfloat16 __##name##2bfloat16_##suffix(Float value) {                     \
        return kit::cpu::make_small<__nv_bfloat16>(value, kit::cpu::Rounding::rounding); \
    }
KIT_CPU_ROUNDINGS(KIT_CPU_FROM_FLOAT, float, float)

#define KIT_CPU_INTEGER(suffix, rounding, name, Integer)                                         \
    inline __nv_bfloat16 __##name##2bfloat16_##suffix(Integer value) {                           \
        return kit::cpu::small_from_integer<__nv_bfloat16>(value, kit::cpu::Rounding::rounding); \
    }                                                                                            \
    inline Integer __bfloat162##name##_##suffix(__nv_bfloat16 value) {                           \
        return kit::cpu::small_to_integer<Integer>(value, kit::cpu::Rounding::rounding);         \
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

inline signed char __bfloat162char_rz(__nv_bfloat16 value) {
    return kit::cpu::small_to_integer<signed char>(value, kit::cpu::Rounding::zero);
}
inline unsigned char __bfloat162uchar_rz(__nv_bfloat16 value) {
    return kit::cpu::small_to_integer<unsigned char>(value, kit::cpu::Rounding::zero);
}

// ---- Two numbers -----------------------------------------------------------------------------------------

inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
    return {x, y};
}
inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
    return {x, y};
}
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 value) {
    return {value, value};
}
inline __nv_bfloat162 __float2bfloat162_rn(float value) {
    return {__float2bfloat16(value), __float2bfloat16(value)};
}
inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
    return {__float2bfloat16(x), __float2bfloat16(y)};
}
inline __nv_bfloat162 __float22bfloat162_rn(float2 values) {
    return __floats2bfloat162_rn(values.x, values.y);
}
inline float2 __bfloat1622float2(__nv_bfloat162 values) {
    return {values.x, values.y};
}
inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 values) {
    return values.x;
}
inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 values) {
    return values.y;
}
inline __nv_bfloat162 __low2bfloat162(__nv_bfloat162 values) {
    return {values.x, values.x};
}
inline __nv_bfloat162 __high2bfloat162(__nv_bfloat162 values) {
    return {values.y, values.y};
}
inline __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
    return {a.x, b.x};
}
inline __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
    return {a.y, b.y};
}

// Functions that create vectors, such as make_int2().
#pragma once
#define __VECTOR_FUNCTIONS_H__

#include <vector_types.h>

/// Declares make_NAME1() to make_NAME4().
#define KIT_CPU_MAKE_VECTOR(Element, name)                                         \
    constexpr name##1 make_##name##1(Element x) {                                  \
        return {x};                                                                \
    }                                                                              \
    constexpr name##2 make_##name##2(Element x, Element y) {                       \
        return {x, y};                                                             \
    }                                                                              \
    constexpr name##3 make_##name##3(Element x, Element y, Element z) {            \
        return {x, y, z};                                                          \
    }                                                                              \
    constexpr name##4 make_##name##4(Element x, Element y, Element z, Element w) { \
        return {x, y, z, w};                                                       \
    }

KIT_CPU_MAKE_VECTOR(signed char, char)
KIT_CPU_MAKE_VECTOR(unsigned char, uchar)
KIT_CPU_MAKE_VECTOR(short, short)
KIT_CPU_MAKE_VECTOR(unsigned short, ushort)
KIT_CPU_MAKE_VECTOR(int, int)
KIT_CPU_MAKE_VECTOR(unsigned int, uint)
KIT_CPU_MAKE_VECTOR(long, long)
KIT_CPU_MAKE_VECTOR(unsigned long, ulong)
KIT_CPU_MAKE_VECTOR(long long, longlong)
KIT_CPU_MAKE_VECTOR(unsigned long long, ulonglong)
KIT_CPU_MAKE_VECTOR(float, float)
KIT_CPU_MAKE_VECTOR(double, double)
#undef KIT_CPU_MAKE_VECTOR

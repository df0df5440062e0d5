// CUDA's vector types, char1 to double4, and dim3, with the same sizes and alignments as in CUDA.
#pragma once
#define __VECTOR_TYPES_H__

/// Declares the structs NAME1 to NAME4 with members x, y, z, w. Types with two and four elements have CUDA's
/// alignment.
#define KIT_CPU_VECTOR_TYPES(Element, name, align2, align4) \
    struct name##1 {                                        \
        Element x;                                          \
    };                                                      \
    struct alignas(align2) name##2 {                        \
        Element x, y;                                       \
    };                                                      \
    struct name##3 {                                        \
        Element x, y, z;                                    \
    };                                                      \
    struct alignas(align4) name##4 {                        \
        Element x, y, z, w;                                 \
    };

KIT_CPU_VECTOR_TYPES(signed char, char, 2, 4)
KIT_CPU_VECTOR_TYPES(unsigned char, uchar, 2, 4)
KIT_CPU_VECTOR_TYPES(short, short, 4, 8)
KIT_CPU_VECTOR_TYPES(unsigned short, ushort, 4, 8)
KIT_CPU_VECTOR_TYPES(int, int, 8, 16)
KIT_CPU_VECTOR_TYPES(unsigned int, uint, 8, 16)
KIT_CPU_VECTOR_TYPES(long, long, 2 * sizeof(long), 16)
KIT_CPU_VECTOR_TYPES(unsigned long, ulong, 2 * sizeof(long), 16)
KIT_CPU_VECTOR_TYPES(long long, longlong, 16, 16)
KIT_CPU_VECTOR_TYPES(unsigned long long, ulonglong, 16, 16)
KIT_CPU_VECTOR_TYPES(float, float, 8, 16)
KIT_CPU_VECTOR_TYPES(double, double, 16, 16)
#undef KIT_CPU_VECTOR_TYPES

/// The wide types of CUDA 13, which have their alignment in the name.
#define KIT_CPU_ALIGNED_VECTOR_TYPES(Element, name) \
    struct alignas(16) name##4_16a {                \
        Element x, y, z, w;                         \
    };                                              \
    struct alignas(32) name##4_32a {                \
        Element x, y, z, w;                         \
    };

KIT_CPU_ALIGNED_VECTOR_TYPES(long, long)
KIT_CPU_ALIGNED_VECTOR_TYPES(unsigned long, ulong)
KIT_CPU_ALIGNED_VECTOR_TYPES(long long, longlong)
KIT_CPU_ALIGNED_VECTOR_TYPES(unsigned long long, ulonglong)
KIT_CPU_ALIGNED_VECTOR_TYPES(double, double)
#undef KIT_CPU_ALIGNED_VECTOR_TYPES

/// The size of a grid or block; missing components are 1.
struct dim3 {
    unsigned int x, y, z;

    constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
};

// Integer and bit intrinsics of CUDA's language on the CPU executor.
#pragma once

#include <host_defines.h>
#include <vector_types.h>

constexpr int __popc(unsigned x) {
    return __builtin_popcount(x);
}
constexpr int __popcll(unsigned long long x) {
    return __builtin_popcountll(x);
}
constexpr int __clz(int x) {
    return x ? __builtin_clz(static_cast<unsigned>(x)) : 32;
}
constexpr int __clzll(long long x) {
    return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64;
}
constexpr int __ffs(int x) {
    return __builtin_ffs(x);
}
constexpr int __ffsll(long long x) {
    return __builtin_ffsll(x);
}

constexpr unsigned long long __brevll(unsigned long long x) {
    x = (x >> 1 & 0x5555555555555555ull) | (x & 0x5555555555555555ull) << 1;
    x = (x >> 2 & 0x3333333333333333ull) | (x & 0x3333333333333333ull) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0full) | (x & 0x0f0f0f0f0f0f0f0full) << 4;
    return __builtin_bswap64(x);
}
constexpr unsigned __brev(unsigned x) {
    return static_cast<unsigned>(__brevll(x) >> 32);
}

/// Returns the position of the offset-th set bit of `mask`, counted upwards from bit `base`, or downwards if
/// `offset` is negative. Returns all ones if there is none.
constexpr unsigned __fns(unsigned mask, unsigned base, int offset) {
    if (offset == 0) return mask >> (base & 31) & 1 ? base : 0xffffffffu;
    const int step = offset > 0 ? 1 : -1;
    int left = offset > 0 ? offset : -offset;
    for (int bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += step) {
        if (mask >> bit & 1 && --left == 0) return static_cast<unsigned>(bit);
    }
    return 0xffffffffu;
}

/// Returns the low 32 bits of the product of the low 24 bits of x and y.
constexpr int __mul24(int x, int y) {
    const long long a = static_cast<int>(static_cast<unsigned>(x) << 8) >> 8;
    const long long b = static_cast<int>(static_cast<unsigned>(y) << 8) >> 8;
    return static_cast<int>(static_cast<unsigned>(a * b));
}
constexpr unsigned __umul24(unsigned x, unsigned y) {
    return (x & 0xffffffu) * (y & 0xffffffu);
}

constexpr int __mulhi(int x, int y) {
    return static_cast<int>(static_cast<long long>(x) * y >> 32);
}
constexpr unsigned __umulhi(unsigned x, unsigned y) {
    return static_cast<unsigned>(static_cast<unsigned long long>(x) * y >> 32);
}
constexpr unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    const unsigned long long low = 0xffffffffull, a = x >> 32, b = x & low, c = y >> 32, d = y & low;
    const unsigned long long middle = (b * d >> 32) + (a * d & low) + (b * c & low);
    return a * c + (a * d >> 32) + (b * c >> 32) + (middle >> 32);
}
constexpr long long __mul64hi(long long x, long long y) {
    const unsigned long long high =
        __umul64hi(static_cast<unsigned long long>(x), static_cast<unsigned long long>(y));
    return static_cast<long long>(high - (x < 0 ? static_cast<unsigned long long>(y) : 0) -
                                  (y < 0 ? static_cast<unsigned long long>(x) : 0));
}

/// Returns |x - y| + z.
constexpr unsigned __sad(int x, int y, unsigned z) {
    return (x < y ? static_cast<unsigned>(y) - static_cast<unsigned>(x)
                  : static_cast<unsigned>(x) - static_cast<unsigned>(y)) +
           z;
}
constexpr unsigned __usad(unsigned x, unsigned y, unsigned z) {
    return (x < y ? y - x : x - y) + z;
}

/// Returns the average of two values without overflow. __rhadd() rounds up.
constexpr int __hadd(int x, int y) {
    return static_cast<int>((static_cast<long long>(x) + y) >> 1);
}
constexpr int __rhadd(int x, int y) {
    return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1);
}
constexpr unsigned __uhadd(unsigned x, unsigned y) {
    return static_cast<unsigned>((static_cast<unsigned long long>(x) + y) >> 1);
}
constexpr unsigned __urhadd(unsigned x, unsigned y) {
    return static_cast<unsigned>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}

/// Returns four of the eight bytes of (y, x). Each hexadecimal digit of `selector` selects one byte. A digit
/// above 7 instead copies the sign bit of the byte to the whole result byte.
constexpr unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) {
        const unsigned digit = selector >> 4 * i & 15;
        unsigned byte = static_cast<unsigned>(bytes >> 8 * (digit & 7)) & 0xff;
        if (digit & 8) byte = byte & 0x80 ? 0xff : 0;
        result |= byte << 8 * i;
    }
    return result;
}

/// Shifts the 64-bit value (high, low), and returns its upper half (left shift) or its lower half (right
/// shift). The distance is taken modulo 32, or limited to 32 in functions with _lc and _rc.
constexpr unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
    const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
    return static_cast<unsigned>(both << (shift < 32 ? shift : 32) >> 32);
}
constexpr unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
    return static_cast<unsigned>(both >> (shift < 32 ? shift : 32));
}
constexpr unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return __funnelshift_lc(low, high, shift & 31);
}
constexpr unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return __funnelshift_rc(low, high, shift & 31);
}

/// Returns c plus the sum of the products of the four bytes of a and b.
constexpr int __dp4a(int a, int b, int c) {
    for (int i = 0; i < 4; ++i)
        c += static_cast<signed char>(a >> 8 * i) * static_cast<signed char>(b >> 8 * i);
    return c;
}
constexpr unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    for (int i = 0; i < 4; ++i) c += (a >> 8 * i & 0xff) * (b >> 8 * i & 0xff);
    return c;
}
constexpr int __dp4a(char4 a, char4 b, int c) {
    return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
constexpr unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
    return c + static_cast<unsigned>(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}

/// Returns c plus the sum of the products of the two 16-bit halves of a with the lower (_lo) or upper (_hi)
/// two bytes of b.
constexpr int __dp2a_lo(short2 a, char4 b, int c) {
    return c + a.x * b.x + a.y * b.y;
}
constexpr int __dp2a_hi(short2 a, char4 b, int c) {
    return c + a.x * b.z + a.y * b.w;
}
constexpr unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c) {
    return c + static_cast<unsigned>(a.x) * b.x + static_cast<unsigned>(a.y) * b.y;
}
constexpr unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c) {
    return c + static_cast<unsigned>(a.x) * b.z + static_cast<unsigned>(a.y) * b.w;
}
constexpr int __dp2a_lo(int a, int b, int c) {
    return c + static_cast<short>(a) * static_cast<signed char>(b) +
           static_cast<short>(a >> 16) * static_cast<signed char>(b >> 8);
}
constexpr int __dp2a_hi(int a, int b, int c) {
    return __dp2a_lo(a, b >> 16, c);
}
constexpr unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
    return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
constexpr unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) {
    return __dp2a_lo(a, b >> 16, c);
}

constexpr unsigned short __nv_bswap16(unsigned short x) {
    return __builtin_bswap16(x);
}
constexpr unsigned __nv_bswap32(unsigned x) {
    return __builtin_bswap32(x);
}
constexpr unsigned long long __nv_bswap64(unsigned long long x) {
    return __builtin_bswap64(x);
}

// DPX functions: minimum and maximum of two values, of three values, of a sum and a value. Results of
// functions with _relu are at least 0. The predicate is true if the first operand was selected.
#define KIT_CPU_EXTREME(name, T, type, comparison)                                         \
    constexpr T __vi##name##3_##type(T a, T b, T c) {                                      \
        const T first = a comparison b ? a : b;                                            \
        return first comparison c ? first : c;                                             \
    }                                                                                      \
    constexpr T __viadd##name##_##type(T a, T b, T c) {                                    \
        const T sum = static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b)); \
        return sum comparison c ? sum : c;                                                 \
    }                                                                                      \
    inline T __vib##name##_##type(T a, T b, bool* took_a) {                                \
        *took_a = a comparison## = b;                                                      \
        return *took_a ? a : b;                                                            \
    }
KIT_CPU_EXTREME(max, int, s32, >)
KIT_CPU_EXTREME(min, int, s32, <)
KIT_CPU_EXTREME(max, unsigned, u32, >)
KIT_CPU_EXTREME(min, unsigned, u32, <)
#undef KIT_CPU_EXTREME

#define KIT_CPU_RELU(name, comparison)                                              \
    constexpr int __vi##name##_s32_relu(int a, int b) {                             \
        return (a comparison b ? a : b) > 0 ? (a comparison b ? a : b) : 0;         \
    }                                                                               \
    constexpr int __vi##name##3_s32_relu(int a, int b, int c) {                     \
        return __vi##name##3_s32(a, b, c) > 0 ? __vi##name##3_s32(a, b, c) : 0;     \
    }                                                                               \
    constexpr int __viadd##name##_s32_relu(int a, int b, int c) {                   \
        return __viadd##name##_s32(a, b, c) > 0 ? __viadd##name##_s32(a, b, c) : 0; \
    }
KIT_CPU_RELU(max, >)
KIT_CPU_RELU(min, <)
#undef KIT_CPU_RELU

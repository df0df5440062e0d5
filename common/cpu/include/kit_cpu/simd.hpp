// CUDA's arithmetic on the two halves or the four bytes of a word, such as `__vadd2` and `__vmaxs4`. The last
// part of this file has the DPX functions for the two halves of a word.
#pragma once

#include <host_defines.h>

namespace kit::cpu {

/// One half or one byte of a word, and the range of its type.
struct Lane {
    int value, low, high;
};

template <int lanes, bool is_signed>
constexpr Lane lane_of(unsigned word, int index) {
    constexpr int bits = 32 / lanes;
    const int value = static_cast<int>(word >> bits * index & ((1u << bits) - 1));
    if (!is_signed) return {value, 0, (1 << bits) - 1};
    constexpr int sign = 1 << (bits - 1);
    return {(value ^ sign) - sign, -sign, sign - 1};
}

/// Applies the operation to each pair of lanes, and joins the lowest bits of the results.
template <int lanes, bool is_signed, class Operation>
constexpr unsigned per_lane(unsigned a, unsigned b, Operation operation) {
    constexpr int bits = 32 / lanes;
    unsigned result = 0;
    for (int i = 0; i < lanes; ++i) {
        const int value = operation(lane_of<lanes, is_signed>(a, i), lane_of<lanes, is_signed>(b, i));
        result |= (static_cast<unsigned>(value) & ((1u << bits) - 1)) << bits * i;
    }
    return result;
}

constexpr int saturated(int value, Lane like) {
    return value < like.low ? like.low : value > like.high ? like.high : value;
}
/// Returns half of the sum, rounded away from zero.
constexpr int rounded_average(int a, int b) {
    return (a + b + (a + b >= 0)) >> 1;
}
constexpr int absolute(int value) {
    return value < 0 ? -value : value;
}

/// Returns the sum of the absolute differences of the lanes.
template <int lanes, bool is_signed>
constexpr unsigned distance(unsigned a, unsigned b, unsigned sum = 0) {
    for (int i = 0; i < lanes; ++i)
        sum += static_cast<unsigned>(
            absolute(lane_of<lanes, is_signed>(a, i).value - lane_of<lanes, is_signed>(b, i).value));
    return sum;
}

}  // namespace kit::cpu

// These functions are templates, so a program compiles only those that it calls.
#define KIT_LANES(name, lanes, is_signed, expression)                                       \
    template <class = void>                                                                 \
    constexpr unsigned __v##name##lanes(unsigned a, unsigned b) {                           \
        using namespace kit::cpu;                                                           \
        return per_lane<lanes, is_signed>(a, b, [](Lane x, Lane y) { return expression; }); \
    }
#define KIT_LANES_ALONE(name, lanes, expression)                                     \
    template <class = void>                                                          \
    constexpr unsigned __v##name##lanes(unsigned a) {                                \
        using namespace kit::cpu;                                                    \
        return per_lane<lanes, true>(a, 0, [](Lane x, Lane) { return expression; }); \
    }
#define KIT_COMPARISON(name, lanes, is_signed, comparison)                      \
    KIT_LANES(cmp##name, lanes, is_signed, x.value comparison y.value ? -1 : 0) \
    KIT_LANES(set##name, lanes, is_signed, x.value comparison y.value ? 1 : 0)
#define KIT_SIMD(lanes)                                                  \
    KIT_LANES(add, lanes, true, x.value + y.value)                       \
    KIT_LANES(addss, lanes, true, saturated(x.value + y.value, x))       \
    KIT_LANES(addus, lanes, false, saturated(x.value + y.value, x))      \
    KIT_LANES(sub, lanes, true, x.value - y.value)                       \
    KIT_LANES(subss, lanes, true, saturated(x.value - y.value, x))       \
    KIT_LANES(subus, lanes, false, saturated(x.value - y.value, x))      \
    KIT_LANES(avgu, lanes, false, (x.value + y.value + 1) >> 1)          \
    KIT_LANES(avgs, lanes, true, rounded_average(x.value, y.value))      \
    KIT_LANES(haddu, lanes, false, (x.value + y.value) >> 1)             \
    KIT_LANES(maxs, lanes, true, x.value > y.value ? x.value : y.value)  \
    KIT_LANES(maxu, lanes, false, x.value > y.value ? x.value : y.value) \
    KIT_LANES(mins, lanes, true, x.value < y.value ? x.value : y.value)  \
    KIT_LANES(minu, lanes, false, x.value < y.value ? x.value : y.value) \
    KIT_LANES(absdiffs, lanes, true, absolute(x.value - y.value))        \
    KIT_LANES(absdiffu, lanes, false, absolute(x.value - y.value))       \
    KIT_LANES_ALONE(abs, lanes, absolute(x.value))                       \
    KIT_LANES_ALONE(absss, lanes, saturated(absolute(x.value), x))       \
    KIT_LANES_ALONE(neg, lanes, -x.value)                                \
    KIT_LANES_ALONE(negss, lanes, saturated(-x.value, x))                \
    KIT_COMPARISON(eq, lanes, false, ==)                                 \
    KIT_COMPARISON(ne, lanes, false, !=)                                 \
    KIT_COMPARISON(ges, lanes, true, >=)                                 \
    KIT_COMPARISON(geu, lanes, false, >=)                                \
    KIT_COMPARISON(gts, lanes, true, >)                                  \
    KIT_COMPARISON(gtu, lanes, false, >)                                 \
    KIT_COMPARISON(les, lanes, true, <=)                                 \
    KIT_COMPARISON(leu, lanes, false, <=)                                \
    KIT_COMPARISON(lts, lanes, true, <)                                  \
    KIT_COMPARISON(ltu, lanes, false, <)                                 \
    template <class = void>                                              \
    constexpr unsigned __vsads##lanes(unsigned a, unsigned b) {          \
        return kit::cpu::distance<lanes, true>(a, b);                    \
    }                                                                    \
    template <class = void>                                              \
    constexpr unsigned __vsadu##lanes(unsigned a, unsigned b) {          \
        return kit::cpu::distance<lanes, false>(a, b);                   \
    }

KIT_SIMD(2)
KIT_SIMD(4)

#undef KIT_SIMD
#undef KIT_COMPARISON
#undef KIT_LANES_ALONE
#undef KIT_LANES

// DPX functions for two halves: minimum and maximum of two values, of three values, of a sum and a value.
// Results of functions with _relu are at least 0. A predicate is true if the first operand was selected.
#define KIT_CPU_HALVES(name, type)                                                        \
    template <class = void>                                                               \
    constexpr unsigned __vi##name##3_##type##16x2(unsigned a, unsigned b, unsigned c) {   \
        return __v##name##type##2(__v##name##type##2(a, b), c);                           \
    }                                                                                     \
    template <class = void>                                                               \
    constexpr unsigned __viadd##name##_##type##16x2(unsigned a, unsigned b, unsigned c) { \
        return __v##name##type##2(__vadd2(a, b), c);                                      \
    }                                                                                     \
    template <class = void>                                                               \
    inline unsigned __vib##name##_##type##16x2(unsigned a, unsigned b, bool* high_took_a, \
                                               bool* low_took_a) {                        \
        const unsigned result = __v##name##type##2(a, b);                                 \
        *high_took_a = (result ^ a) >> 16 == 0;                                           \
        *low_took_a = ((result ^ a) & 0xffff) == 0;                                       \
        return result;                                                                    \
    }
KIT_CPU_HALVES(max, s)
KIT_CPU_HALVES(min, s)
KIT_CPU_HALVES(max, u)
KIT_CPU_HALVES(min, u)
#undef KIT_CPU_HALVES

#define KIT_CPU_HALVES_RELU(name)                                                       \
    template <class = void>                                                             \
    constexpr unsigned __vi##name##_s16x2_relu(unsigned a, unsigned b) {                \
        return __vmaxs2(__v##name##s2(a, b), 0);                                        \
    }                                                                                   \
    template <class = void>                                                             \
    constexpr unsigned __vi##name##3_s16x2_relu(unsigned a, unsigned b, unsigned c) {   \
        return __vmaxs2(__vi##name##3_s16x2(a, b, c), 0);                               \
    }                                                                                   \
    template <class = void>                                                             \
    constexpr unsigned __viadd##name##_s16x2_relu(unsigned a, unsigned b, unsigned c) { \
        return __vmaxs2(__viadd##name##_s16x2(a, b, c), 0);                             \
    }
KIT_CPU_HALVES_RELU(max)
KIT_CPU_HALVES_RELU(min)
#undef KIT_CPU_HALVES_RELU

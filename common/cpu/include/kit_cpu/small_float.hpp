// Conversions of half and bfloat16, which have 16 bits, from and to larger numbers. The conversions round as
// hardware does.
#pragma once

#include <math.h>

#include <cstdint>
#include <kit_cpu/atomic.hpp>
#include <kit_cpu/convert.hpp>
#include <limits>

namespace kit::cpu {

/// The format of a number: a sign, `ExponentBits` bits of exponent, and the fraction in the remaining bits.
template <int ExponentBits>
struct SmallFormat {
    static constexpr int fraction_bits = 15 - ExponentBits;
    static constexpr int bias = (1 << (ExponentBits - 1)) - 1;
    static constexpr unsigned infinity = ((1u << ExponentBits) - 1) << fraction_bits;
    static constexpr unsigned not_a_number = 0x7fff;
};

/// Returns the number of the format that is nearest (ties to even), or the next one in the requested
/// direction.
template <class Format>
std::uint16_t encode_small(double value, Rounding rounding = Rounding::nearest) {
    constexpr int fraction_bits = Format::fraction_bits;
    const auto bits = same_bits<std::uint64_t>(value);
    const bool negative = bits >> 63;
    const unsigned sign = negative ? 0x8000u : 0u;
    if (value != value) return Format::not_a_number;
    if (isinf(value)) return static_cast<std::uint16_t>(sign | Format::infinity);
    if (value == 0) return static_cast<std::uint16_t>(sign);

    // Shift the whole significand until its last bit has the weight of the last bit of the format.
    const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
    const std::uint64_t significand = (bits & ((std::uint64_t(1) << 52) - 1)) | std::uint64_t(1) << 52;
    const int smallest = 1 - Format::bias;
    const int lost = exponent < smallest ? smallest - exponent : 0;  // a subnormal number has fewer bits
    const int shift = 52 - fraction_bits + lost;
    const std::uint64_t kept = shift < 64 ? significand >> shift : 0;
    const std::uint64_t rest = shift < 64 ? significand & ((std::uint64_t(1) << shift) - 1) : significand;
    const std::uint64_t half =
        shift <= 64 ? std::uint64_t(1) << (shift - 1) : std::numeric_limits<std::uint64_t>::max();

    bool away = false;  // whether to round away from zero
    if (rounding == Rounding::nearest) away = rest > half || (rest == half && (kept & 1));
    if (rounding == Rounding::up) away = rest != 0 && !negative;
    if (rounding == Rounding::down) away = rest != 0 && negative;
    // A carry out of the fraction increments the exponent, which is the correct result.
    const std::uint64_t biased =
        lost ? 0 : static_cast<std::uint64_t>(exponent + Format::bias - 1) << fraction_bits;
    const std::uint64_t magnitude = exponent > Format::bias ? Format::infinity : biased + kept + away;
    if (magnitude < Format::infinity) return static_cast<std::uint16_t>(sign | magnitude);
    const bool to_infinity = rounding == Rounding::nearest || (rounding == Rounding::up && !negative) ||
                             (rounding == Rounding::down && negative);
    return static_cast<std::uint16_t>(sign | (to_infinity ? Format::infinity : Format::infinity - 1));
}

template <class Format>
float decode_small(std::uint16_t bits) {
    const unsigned fraction = bits & ((1u << Format::fraction_bits) - 1);
    const unsigned exponent = (bits & 0x7fffu) >> Format::fraction_bits;
    float magnitude;
    if (exponent == Format::infinity >> Format::fraction_bits)
        magnitude = fraction ? NAN : INFINITY;
    else if (exponent == 0)
        magnitude = ldexpf(static_cast<float>(fraction), 1 - Format::bias - Format::fraction_bits);
    else
        magnitude = ldexpf(static_cast<float>(fraction | 1u << Format::fraction_bits),
                           static_cast<int>(exponent) - Format::bias - Format::fraction_bits);
    return bits & 0x8000u ? -magnitude : magnitude;
}

/// Conversions of T, which is __half or __nv_bfloat16.
template <class T>
T make_small(double value, Rounding rounding = Rounding::nearest) {
    return typename T::Raw{encode_small<typename T::Format>(value, rounding)};
}

/// Converts an integer that has more bits than a double. If bits are lost, the last kept bit is set, which is
/// enough for correct rounding later.
template <class T, class Integer>
T small_from_integer(Integer value, Rounding rounding) {
    constexpr unsigned long long low = 0xfff;
    if (sizeof(Integer) < 8 || !(static_cast<unsigned long long>(value) & low))
        return make_small<T>(static_cast<double>(value), rounding);
    const bool large = value > Integer(1ll << 52) ||
                       (std::numeric_limits<Integer>::is_signed && value < -Integer(1ll << 52));
    if (!large) return make_small<T>(static_cast<double>(value), rounding);
    return make_small<T>(
        static_cast<double>((value & ~static_cast<Integer>(low)) | static_cast<Integer>(low + 1) / 2),
        rounding);
}

/// Returns the nearest integer of the type; 0 for a NaN.
template <class Integer>
Integer small_to_integer(float value, Rounding rounding) {
    if (value != value) return 0;
    const double whole = rounding == Rounding::nearest ? rint(value)
                         : rounding == Rounding::zero  ? trunc(value)
                         : rounding == Rounding::down  ? floor(value)
                                                       : ceil(value);
    constexpr Integer least = std::numeric_limits<Integer>::min(), most = std::numeric_limits<Integer>::max();
    if (whole <= static_cast<double>(least)) return least;
    if (whole >= static_cast<double>(most)) return most;
    return static_cast<Integer>(whole);
}

/// Returns a * b + c, rounded once. The product is exact in a double. If the sum is not exact, its last bit
/// is made odd, so that the second rounding does not mistake it for a tie.
template <class T>
T fused_small(float a, float b, float c) {
    const double product = static_cast<double>(a) * b, sum = product + c;
    const double back = sum - product;
    const double lost = (product - (sum - back)) + (c - back);
    if (lost == 0 || !isfinite(sum)) return make_small<T>(sum);
    auto bits = same_bits<std::uint64_t>(sum);
    if (!(bits & 1)) bits += (lost > 0) == (sum > 0) ? 1 : -1;
    return make_small<T>(same_bits<double>(bits));
}

/// Returns the larger or the smaller value. A NaN loses against a number. +0 is larger
/// than -0.
template <class T>
T larger_small(T a, T b, bool wants_nan) {
    const float x = a, y = b;
    if (x != x || y != y) return wants_nan || (x != x && y != y) ? make_small<T>(NAN) : x != x ? b : a;
    if (x == 0 && y == 0) return signbit(x) ? b : a;
    return x < y ? b : a;
}
template <class T>
T smaller_small(T a, T b, bool wants_nan) {
    const float x = a, y = b;
    if (x != x || y != y) return wants_nan || (x != x && y != y) ? make_small<T>(NAN) : x != x ? b : a;
    if (x == 0 && y == 0) return signbit(x) ? a : b;
    return y < x ? b : a;
}

template <class T>
T saturated_small(T a) {
    const float x = a;
    return x > 0 ? (x < 1 ? a : make_small<T>(1)) : make_small<T>(0);
}
template <class T>
T rectified_small(T a) {
    const float x = a;
    return x != x ? make_small<T>(NAN) : x > 0 ? a : make_small<T>(0);
}

}  // namespace kit::cpu

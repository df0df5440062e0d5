// The arithmetic of a tensor core: one element of D = A * B + C, with the rounding of an H100. It adds exact products in fixed point: it
// aligns them, and c, to the largest exponent, drops the bits that do not fit, and adds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <kit_cpu/tensor.hpp>

namespace kit::cpu {

/// A floating-point number: significand * 2^(exponent - fraction bits of its format).
struct TensorNumber {
    enum class Kind : std::uint8_t { finite, infinite, not_a_number };
    std::uint32_t significand = 0;
    std::int16_t exponent = 0;
    bool negative = false;
    Kind kind = Kind::finite;
};

/// A format of floating-point numbers.
struct Format {
    int exponent_bits, fraction_bits;
    constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
    constexpr std::uint32_t top() const { return (1u << exponent_bits) - 1; }
};

constexpr Format format_of(TensorType type) {
    return type == TensorType::f16    ? Format{5, 10}
           : type == TensorType::bf16 ? Format{8, 7}
           : type == TensorType::tf32 ? Format{8, 10}
                                      : Format{8, 23};
}

/// The bits after the point that a sum keeps, counted from the largest exponent.
constexpr int kept_bits = 25;

inline std::uint32_t not_a_number(TensorType type) {
    return type == TensorType::f16 ? 0x7fff : 0x7fffffff;
}
inline std::uint32_t infinity(TensorType type, bool negative) {
    return type == TensorType::f16 ? (negative ? 0xfc00u : 0x7c00u) : (negative ? 0xff800000u : 0x7f800000u);
}

/// Returns the bits of sum * 2^exponent. A float drops the bits that do not fit, a half is rounded to the nearest (ties to even).
inline std::uint32_t encoded(TensorType type, std::int64_t sum, int exponent) {
    const Format format = format_of(type);
    const bool negative = sum < 0;
    const std::uint32_t sign = negative ? 1u << (format.exponent_bits + format.fraction_bits) : 0;
    std::uint64_t magnitude =
        negative ? 0 - static_cast<std::uint64_t>(sum) : static_cast<std::uint64_t>(sum);
    if (magnitude == 0) return 0;
    const int highest = 63 - __builtin_clzll(magnitude);
    int result =
        std::max(highest + exponent, 1 - format.bias());  // the exponent; a subnormal number has the lowest
    const int dropped =
        result - format.fraction_bits - exponent;  // bits to the right of the result's last bit
    std::uint64_t kept = dropped > 63 ? 0 : dropped > 0 ? magnitude >> dropped : magnitude << -dropped;
    if (type == TensorType::f16 && dropped > 0 && dropped < 64) {
        const std::uint64_t rest = magnitude & ((std::uint64_t{1} << dropped) - 1),
                            half = std::uint64_t{1} << (dropped - 1);
        kept += rest > half || (rest == half && (kept & 1));
    }
    // The leading bit is added to the exponent, so a carry increments it, and a subnormal number has exponent 0.
    const std::uint64_t bits =
        (static_cast<std::uint64_t>(result + format.bias() - 1) << format.fraction_bits) + kept;
    if (bits >= static_cast<std::uint64_t>(format.top()) << format.fraction_bits)
        return infinity(type, negative);
    return bits ? sign | static_cast<std::uint32_t>(bits) : 0;  // a sum that becomes 0 has no sign
}

inline std::int64_t aligned(std::uint64_t significand, bool negative, int shift) {
    const std::uint64_t magnitude = shift >= 0    ? significand << shift
                                    : shift > -64 ? significand >> -shift
                                                  : 0;
    return negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
}

/// Returns the number with these bits; of a tf32, only the upper 19 bits count.
inline TensorNumber tensor_number(TensorType type, std::uint32_t bits) {
    if (type == TensorType::tf32) bits >>= 13;
    const Format format = format_of(type);
    const std::uint32_t fraction = bits & ((1u << format.fraction_bits) - 1);
    const std::uint32_t biased = bits >> format.fraction_bits & format.top();
    TensorNumber number;
    number.negative = bits >> (format.fraction_bits + format.exponent_bits) & 1;
    if (biased == format.top())
        number.kind = fraction ? TensorNumber::Kind::not_a_number : TensorNumber::Kind::infinite;
    number.significand = biased ? fraction | 1u << format.fraction_bits : fraction;
    number.exponent = static_cast<std::int16_t>(std::max(static_cast<int>(biased), 1) - format.bias());
    return number;
}

/// Returns the bits of the sum of c and of k products a[i] * b[i]. `sum` is the type of c, `result` the type of the sum.
inline std::uint32_t tensor_sum(TensorType type, const TensorNumber* a, const TensorNumber* b, unsigned k,
                                TensorType sum, std::uint32_t c_bits, TensorType result) {
    using Kind = TensorNumber::Kind;
    const int product_bits = 2 * format_of(type).fraction_bits, c_fraction = format_of(sum).fraction_bits;
    const TensorNumber c = tensor_number(sum, c_bits);
    bool bad = c.kind == Kind::not_a_number;
    bool infinite[2] = {c.kind == Kind::infinite && !c.negative, c.kind == Kind::infinite && c.negative};
    int largest = c.significand ? c.exponent : -1000;
    for (unsigned i = 0; i < k; ++i) {
        const bool finite = a[i].kind == Kind::finite && b[i].kind == Kind::finite;
        if (!finite) {
            const bool zero = (a[i].kind == Kind::finite && !a[i].significand) ||
                              (b[i].kind == Kind::finite && !b[i].significand);
            if (zero || a[i].kind == Kind::not_a_number || b[i].kind == Kind::not_a_number)
                bad = true;
            else
                infinite[a[i].negative != b[i].negative] = true;
        } else if (a[i].significand && b[i].significand) {
            largest = std::max(largest, a[i].exponent + b[i].exponent);
        }
    }
    if (bad || (infinite[0] && infinite[1])) return not_a_number(result);
    if (infinite[0] || infinite[1]) return infinity(result, infinite[1]);
    std::int64_t total = aligned(c.significand, c.negative, c.exponent - largest + kept_bits - c_fraction);
    for (unsigned i = 0; i < k; ++i) {
        const std::uint64_t product = std::uint64_t{a[i].significand} * b[i].significand;
        if (product)
            total += aligned(product, a[i].negative != b[i].negative,
                             a[i].exponent + b[i].exponent - largest + kept_bits - product_bits);
    }
    return encoded(result, total, largest - kept_bits);
}

}  // namespace kit::cpu

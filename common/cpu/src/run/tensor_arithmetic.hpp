// The arithmetic of a tensor core: one element of D = A * B + C, with the rounding of an H100.
#pragma once

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

/// Returns the number with these bits; of a tf32, only the upper 19 bits count.
TensorNumber tensor_number(TensorType type, std::uint32_t bits);

/// Returns the bits of the sum of c and of k products a[i] * b[i]. `sum` is the type of c, `result` the type of the sum.
std::uint32_t tensor_sum(TensorType type, const TensorNumber* a, const TensorNumber* b, unsigned k,
                         TensorType sum, std::uint32_t c, TensorType result);

}  // namespace kit::cpu

// Moves random generators forward by any number of values: a step is a linear map, so n steps are the n-th power of its matrix.
#include <curand_kernel.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "caller.hpp"

namespace kit::cpu::random {
namespace {

constexpr unsigned words = 5, bits = 32 * words;
using Vector = std::array<std::uint32_t, words>;

/// A linear map of XORWOW's 160 bits: the image of each bit.
using BitMatrix = std::array<Vector, bits>;

Vector image_of(const BitMatrix& matrix, const Vector& to) {
    Vector result{};
    for (unsigned word = 0; word < words; ++word)
        for (std::uint32_t rest = to[word]; rest; rest &= rest - 1) {
            const Vector& image = matrix[word * 32 + static_cast<unsigned>(__builtin_ctz(rest))];
            for (unsigned i = 0; i < words; ++i) result[i] ^= image[i];
        }
    return result;
}

/// Returns the map of 2^log2 steps, which is computed at the first call.
const BitMatrix& xorwow_power(unsigned log2) {
    thread_local std::vector<std::unique_ptr<BitMatrix>> powers;
    while (powers.size() <= log2) {
        auto next = std::make_unique<BitMatrix>();
        for (unsigned bit = 0; bit < bits; ++bit) {
            Vector image{};
            image[bit / 32] = 1u << bit % 32;
            if (powers.empty())
                next_word(image.data());
            else
                image = image_of(*powers.back(), image_of(*powers.back(), image));
            (*next)[bit] = image;
        }
        powers.push_back(std::move(next));
    }
    return *powers[log2];
}

using Matrix = std::array<std::array<std::uint64_t, 3>, 3>;

Matrix product(const Matrix& a, const Matrix& b, std::uint64_t modulus) {
    Matrix result{};
    for (unsigned row = 0; row < 3; ++row)
        for (unsigned column = 0; column < 3; ++column)
            for (unsigned i = 0; i < 3; ++i)
                result[row][column] = (result[row][column] + a[row][i] * b[i][column] % modulus) % modulus;
    return result;
}

/// Returns the map of 2^log2 steps of one part of MRG32k3a, 0 or 1, which is computed at the first call.
const Matrix& mrg_power(unsigned part, unsigned log2) {
    thread_local std::vector<Matrix> powers[2];
    const std::uint64_t modulus = mrg_modulus[part];
    std::vector<Matrix>& own = powers[part];
    if (own.empty())
        own.push_back(part == 0 ? Matrix{{{0, 1, 0}, {0, 0, 1}, {modulus - 810728, 1403580, 0}}}
                                : Matrix{{{0, 1, 0}, {0, 0, 1}, {modulus - 1370589, 0, 527612}}});
    while (own.size() <= log2) own.push_back(product(own.back(), own.back(), modulus));
    return own[log2];
}

void skip_part(unsigned part, unsigned* state, unsigned long long steps, unsigned log2) {
    const std::uint64_t modulus = mrg_modulus[part];
    for (; steps; steps >>= 1, ++log2) {
        if (!(steps & 1)) continue;
        const Matrix& step = mrg_power(part, log2);
        std::uint64_t result[3] = {};
        for (unsigned row = 0; row < 3; ++row)
            for (unsigned i = 0; i < 3; ++i)
                result[row] = (result[row] + step[row][i] * state[i] % modulus) % modulus;
        for (unsigned i = 0; i < 3; ++i) state[i] = static_cast<unsigned>(result[i]);
    }
}

}  // namespace

void skip_xorwow(unsigned* state, unsigned long long steps, unsigned log2) {
    if (!steps) return;
    Vector now;
    for (unsigned i = 0; i < words; ++i) now[i] = state[i];
    for (; steps; steps >>= 1, ++log2)
        if (steps & 1) now = image_of(xorwow_power(log2), now);
    for (unsigned i = 0; i < words; ++i) state[i] = now[i];
}

void skip_mrg(unsigned* first, unsigned* second, unsigned long long steps, unsigned log2) {
    skip_part(0, first, steps, log2);
    skip_part(1, second, steps, log2);
}

void only_in_kernels(const char* function) {
    if (!in_kernel()) refuse_host_code(function);
}

}  // namespace kit::cpu::random

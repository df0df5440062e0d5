// fminf, fmaxf, fmin and fmax, which replace those of the C library: they keep undefined values, which are
// NaN (kit_cpu/undefined.hpp).
#include <cmath>
#include <cstdint>
#include <cstring>
#include <kit_cpu/undefined.hpp>

#include "caller.hpp"
#include "events.hpp"

namespace kit::cpu {

bool extreme_of_undefined(const void* operand, void* result, unsigned bytes, bool larger) {
    if (!in_kernel()) return false;
    const Caller block("max()");
    return observer().extreme_of_undefined(*block, operand, result, bytes, larger);
}

namespace {

template <class T>
struct Bits;
template <>
struct Bits<float> {
    using Word = std::uint32_t;
    static constexpr Word undefined = 0x7fc0dead, limit = 0x7fc1dead, sign = 0x80000000;
};
template <>
struct Bits<double> {
    using Word = std::uint64_t;
    static constexpr Word undefined = 0x7ff8deadffc0dead, limit = 0x7ff8deadffc1dead,
                          sign = 0x8000000000000000;
};

template <class T>
typename Bits<T>::Word magnitude(T value) {
    typename Bits<T>::Word word;
    std::memcpy(&word, &value, sizeof word);
    return word & ~Bits<T>::sign;
}

/// Returns the result if an operand is a NaN. An undefined value, or the limit that stands for it in this
/// direction (kit_cpu/undefined.hpp), gives that limit. If the NaN is an ordinary one, the other operand is
/// the result.
template <class T>
[[gnu::noinline, gnu::cold]] T of_undefined(T a, T b, bool larger) {
    typename Bits<T>::Word limit = Bits<T>::limit | (larger ? 0 : Bits<T>::sign);
    for (const T operand : {a, b}) {
        const bool is_limit = magnitude(operand) == Bits<T>::limit && std::signbit(operand) != larger;
        if (magnitude(operand) != Bits<T>::undefined && !is_limit) continue;
        T result;
        std::memcpy(&result, &limit, sizeof result);
        return result;
    }
    return std::isnan(a) ? b : a;
}

template <class T>
T extreme_of(T a, T b, bool larger) {
    if (__builtin_expect(std::isunordered(a, b), false)) return of_undefined(a, b, larger);
    return (larger ? a < b : b < a) ? b : a;
}

}  // namespace
}  // namespace kit::cpu

extern "C" {

float fminf(float a, float b) noexcept {
    return kit::cpu::extreme_of(a, b, false);
}
float fmaxf(float a, float b) noexcept {
    return kit::cpu::extreme_of(a, b, true);
}
double fmin(double a, double b) noexcept {
    return kit::cpu::extreme_of(a, b, false);
}
double fmax(double a, double b) noexcept {
    return kit::cpu::extreme_of(a, b, true);
}

}  // extern "C"

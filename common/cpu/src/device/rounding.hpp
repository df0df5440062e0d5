// Rounds sizes and addresses to multiples.
#pragma once

namespace kit::cpu {

/// Returns the smallest multiple of `unit` that is at least `value`.
template <class T>
constexpr T round_up(T value, T unit) {
    return (value + unit - 1) / unit * unit;
}

}  // namespace kit::cpu

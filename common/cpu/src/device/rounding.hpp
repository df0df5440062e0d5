// Rounds sizes and addresses to multiples.
#pragma once

namespace kit::cpu {

/// Returns the next multiple of `unit`, which is the value itself if it is one.
template <class T>
constexpr T round_up(T value, T unit) {
    return (value + unit - 1) / unit * unit;
}

}  // namespace kit::cpu

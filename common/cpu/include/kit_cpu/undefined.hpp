// Undefined values, which a shuffle returns if it reads from a lane that does not take part, and their minimum and maximum.
//
// A GPU can return anything there, so a minimum or maximum of it is undefined, too. But the other operand is often a known value,
// and a NaN always loses against it. So the undefined value is replaced once by a value that wins: a larger or smaller one, or a
// NaN that fmaxf (interposed in run/extremes.cpp) treats as a large or small number. The next limit in the other direction
// removes it, so `min(max(x, 0), n - 1)` stays in its range. Not recognized: a minimum of unsigned values.
#pragma once

#include <cstdint>

namespace kit::cpu {

/// The bits of an undefined value, starting at the lowest: a NaN for both floating-point types, a large or negative number for
/// integers.
constexpr unsigned long long no_such_lane = 0x7ff8deadffc0deadull;

/// If the running thread got this value from a lane that does not take part, replaces `result` by a value that represents it.
[[gnu::cold]] bool extreme_of_undefined(const void* operand, void* result, unsigned bytes, bool larger);

/// Called with `result`, the smaller or larger of two signed integers.
template <class T>
constexpr T extreme(T a, T b, T result, bool larger) {
#ifdef __SANITIZE_THREAD__
    if (!__builtin_is_constant_evaluated()) {
        constexpr T undefined = static_cast<T>(no_such_lane);
        if (a == undefined && extreme_of_undefined(&a, &result, sizeof(T), larger)) return result;
        if (b == undefined && extreme_of_undefined(&b, &result, sizeof(T), larger)) return result;
    }
#else
    (void)a, (void)b, (void)larger;
#endif
    return result;
}

}  // namespace kit::cpu

// Undefined values, which a shuffle returns if it reads from a lane that does not take part; and the minimum
// and maximum of such values.
//
// A GPU can return any value for such a lane, so a minimum or maximum with this value is also undefined. But
// the other operand is often a known value, and a NaN always loses against it. Therefore, the undefined value
// is replaced by a substitute that wins: a larger or smaller integer, or a NaN that fmaxf (run/extremes.cpp)
// treats as a large or small number. The next minimum or maximum in the other direction removes the
// substitute, so `min(max(x, 0), n - 1)` is within its range. A minimum of unsigned values is not recognized.
#pragma once

#include <cstdint>

namespace kit::cpu {

/// The bits of an undefined value. Smaller types use the lowest bits. The pattern is a NaN for both
/// floating-point types, and a large or negative number for integers.
constexpr unsigned long long no_such_lane = 0x7ff8deadffc0deadull;

/// If the running thread received this value from a lane that does not take part, replaces `result` by a
/// substitute for the undefined value.
[[gnu::cold]] bool extreme_of_undefined(const void* operand, void* result, unsigned bytes, bool larger);

/// Returns `result`, the minimum or maximum of two signed integers, or the substitute if one of them is
/// undefined.
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

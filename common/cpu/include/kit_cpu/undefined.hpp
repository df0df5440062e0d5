// Undefined values: what a shuffle returns if it reads a lane that does not take part, and what min and max make of it.
//
// A GPU may return anything there, so a minimum or maximum of it is undefined, too. But one operand of it is often a value that the program
// knows, and a NaN is always dropped. So the undefined value is replaced once by a value that comes out: a larger or smaller one, or a NaN
// of which fmaxf (interposed in run/extremes.cpp) knows that it stands for a large or small number. The next limit in the other direction drops
// that, so `min(max(x, 0), n - 1)` stays in its range. Not recognized: a minimum of unsigned values.
#pragma once

#include <cstdint>

namespace kit::cpu {

/// The bits of an undefined value, from the lowest: a NaN for both floating types, a large or negative number for integers.
constexpr unsigned long long no_such_lane = 0x7ff8deadffc0deadull;

/// If the running thread has taken this value from a lane that does not take part, replaces `result` by one that stands for it.
[[gnu::cold]] bool extreme_of_undefined(const void* operand, void* result, unsigned bytes, bool larger);

/// The smaller or larger of two signed integers is `result`.
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

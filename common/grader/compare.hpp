// Compares results with expected values. An element passes only if its error is small enough, so NaN never
// passes.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <facts/outcome.hpp>
#include <grader/text.hpp>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace kit {

/// The allowed error: an element passes if |got - want| <= abs + rel * |want|. Integers must always be equal.
struct Tolerance {
    double abs = 0;
    double rel = 0;
    bool zeros_may_pass = false;  ///< if false, a tolerance that accepts zeros is an error of the test

    double at(double want) const { return abs + rel * std::fabs(want); }
};

/// Accepts only equal values. 0 and -0 count as equal.
constexpr Tolerance exact() {
    return {};
}

constexpr Tolerance tolerance(double abs, double rel) {
    return {abs, rel, false};
}

/// Returns a tolerance for a sum of `count` numbers of type T, in any usual order: the rounding error of a
/// tree of additions, times a factor for other orders. `scale` is the sum of the absolute values, which is
/// the upper bound of every intermediate sum.
template <class T>
Tolerance tolerance_sum(std::size_t count, double scale) {
    const double roundings = 4 + 2 * std::log2(static_cast<double>(count) + 1);
    return {roundings * std::numeric_limits<T>::epsilon() * scale, 0, false};
}

namespace detail {

template <class T>
bool accept(T got, T want, const Tolerance& tolerance) {
    if constexpr (std::is_floating_point_v<T>) {
        if (got == want) return true;
        const double error = std::fabs(static_cast<double>(got) - static_cast<double>(want));
        return std::isfinite(want) && error <= tolerance.at(static_cast<double>(want));
    } else {
        return got == want;
    }
}

template <class T>
bool not_a_number(T value) {
    if constexpr (std::is_floating_point_v<T>) {
        return std::isnan(value);
    } else {
        return false;
    }
}

/// The result of a comparison: which elements differ.
struct Comparison {
    std::vector<char> wrong;  ///< one flag per element
    std::size_t count = 0;    ///< number of elements that differ
    std::size_t first = 0, last = 0;
};

template <class T>
Comparison compare(const std::vector<T>& got, const std::vector<T>& want, const Tolerance& tolerance) {
    Comparison result;
    result.wrong.resize(want.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
        if (i < got.size() && accept<T>(got[i], want[i], tolerance)) continue;
        result.wrong[i] = 1;
        if (result.count++ == 0) result.first = i;
        result.last = i;
    }
    return result;
}

/// Returns why this comparison would not prove anything; its fault is `none` if the comparison is sound.
template <class T>
facts::Failure unsound(const std::vector<T>& want, const Tolerance& tolerance) {
    facts::Failure failure;
    failure.diagnosis = Diagnosis::no_check;
    bool any = false, zeros_pass = true;
    for (std::size_t i = 0; i < want.size(); ++i) {
        if (not_a_number<T>(want[i])) {
            failure.fault = facts::Fault::expects_nan;
            failure.difference.first = i;
            return failure;
        }
        if (want[i] == T{}) continue;
        any = true;
        zeros_pass = zeros_pass && accept<T>(T{}, want[i], tolerance);
    }
    if (any && zeros_pass && !tolerance.zeros_may_pass) failure.fault = facts::Fault::zeros_would_pass;
    return failure;
}

/// Returns the poison with which outputs and guard zones start. For floating point, the poison is a
/// signalling NaN: a copy keeps its bits, and arithmetic changes them. Therefore "never written" differs from
/// "computed from uninitialized values".
template <class T>
T poison() {
    T value;
    std::memset(static_cast<void*>(&value), 0xab, sizeof value);
    if constexpr (std::is_same_v<T, float>) {
        const std::uint32_t bits = 0x7f80abab;
        std::memcpy(&value, &bits, sizeof value);
    } else if constexpr (std::is_same_v<T, double>) {
        const std::uint64_t bits = 0x7ff0abababababab;
        std::memcpy(&value, &bits, sizeof value);
    }
    return value;
}

template <class T>
bool is_poison(const T& value) {
    const T pattern = poison<T>();
    T bytes;  // content of uninitialized device memory, which a test writes into allocations of the student's
              // code
    std::memset(static_cast<void*>(&bytes), 0xab, sizeof bytes);
    return std::memcmp(&value, &pattern, sizeof value) == 0 || std::memcmp(&value, &bytes, sizeof value) == 0;
}

template <class T>
facts::Element element_of(std::size_t at, const T& got, const T& want, const Tolerance& tolerance) {
    facts::Element element;
    element.at = at;
    element.unwritten = is_poison<T>(got);
    if (!element.unwritten) element.got = to_text<T>(got);
    element.expected = to_text<T>(want);
    if constexpr (std::is_floating_point_v<T>) {
        const double allowed = tolerance.at(static_cast<double>(want));
        if (std::isfinite(allowed)) element.tolerance = allowed;
    }
    return element;
}

/// Formats a value for sentences of a test.
template <class T>
std::string got_text(const T& got) {
    return is_poison<T>(got) ? "never written" : "got " + to_text<T>(got);
}

/// Compares a single value. Only a type with many bits can show whether the value was written.
template <class Got, class Want>
facts::Element element_of_one(const Got& got, const Want& want) {
    facts::Element element;
    if constexpr (std::is_arithmetic_v<Got> && sizeof(Got) >= 4) element.unwritten = is_poison<Got>(got);
    element.got = to_text<Got>(got);
    element.expected = to_text<Want>(want);
    return element;
}

}  // namespace detail
}  // namespace kit

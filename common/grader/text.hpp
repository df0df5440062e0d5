// Formats words and numbers for the report.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

namespace kit::detail {

/// Formats a value in the shortest form that distinguishes it from neighbouring values. Characters are
/// formatted as numbers.
template <class T>
std::string to_text(const T& value) {
    if constexpr (std::is_same_v<T, cudaError_t>) {
        return cudaGetErrorName(value);
    } else if constexpr (std::is_same_v<T, bool>) {
        return value ? "true" : "false";
    } else if constexpr (std::is_floating_point_v<T>) {
        char text[40];
        std::snprintf(text, sizeof text, sizeof(T) > 4 ? "%.15g" : "%.9g", static_cast<double>(value));
        return text;
    } else if constexpr (std::is_integral_v<T>) {
        return std::to_string(value);
    } else if constexpr (std::is_enum_v<T>) {
        return std::to_string(static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (std::is_pointer_v<T> && !std::is_convertible_v<T, std::string>) {
        return value ? "a pointer" : "a null pointer";
    } else {
        return std::string(value);
    }
}

inline std::string short_number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

inline std::string error_text(cudaError_t error) {
    return std::string(cudaGetErrorName(error)) + " (" + cudaGetErrorString(error) + ")";
}

/// Returns a number with its noun, such as "1 copy", "0 batches" or "12 elements". `noun` is singular.
inline std::string count_of(std::size_t count, const std::string& noun) {
    const auto ends_in = [&](const std::string& end) {
        return noun.size() > end.size() && noun.compare(noun.size() - end.size(), end.size(), end) == 0;
    };
    const bool hisses = ends_in("ch") || ends_in("sh") || ends_in("s") || ends_in("x");
    const std::string text = std::to_string(count) + " " + noun;
    if (count == 1) return text;
    if (ends_in("py") || ends_in("dy") || ends_in("ry")) return text.substr(0, text.size() - 1) + "ies";
    return text + (hisses ? "es" : "s");
}

/// Returns a number with its noun and the verb that agrees with it, such as "1 kernel was" or "2 kernels were".
/// `verb` is plural.
inline std::string count_of(std::size_t count, const std::string& noun, const std::string& verb) {
    const std::string singular = verb == "are"    ? "is"
                                 : verb == "were" ? "was"
                                 : verb == "have" ? "has"
                                 : verb == "do"   ? "does"
                                                  : verb + "s";
    return count_of(count, noun) + " " + (count == 1 ? singular : verb);
}

/// Shortens a path such as "/home/me/course/exercises/x.cu:3" to "exercises/x.cu:3". Paths in the course
/// start at its root, and paths of submissions start at the build folder.
inline std::string from_root(std::string line) {
    for (const char* folder : {"/exercises/", "/solutions/", "/tests/", "/wrong/", "/right/"}) {
        const std::size_t end = line.find(folder);
        if (end == std::string::npos) continue;
        const std::size_t space = line.rfind(' ', end);
        const std::size_t begin = space == std::string::npos ? 0 : space + 1;
        return line.erase(begin, end + 1 - begin);
    }
    return line;
}

}  // namespace kit::detail

namespace kit {

using detail::count_of;

}  // namespace kit

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

inline std::string count_of(std::size_t count, const std::string& noun) {
    const auto ends_in = [&](const std::string& end) {
        return noun.size() > end.size() && noun.compare(noun.size() - end.size(), end.size(), end) == 0;
    };
    const bool hisses = ends_in("ch") || ends_in("sh") || ends_in("s") || ends_in("x");
    return std::to_string(count) + " " + noun + (count == 1 ? "" : hisses ? "es" : "s");
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

// The translator as a function: CUDA C++ in, C++ against the headers in common/cpu/include out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kit::translate {

struct Result {
    std::string text;                 ///< the translation unit; empty when there are errors
    std::vector<std::string> errors;  ///< "file:line: error: ..."
};

/// `path` is the name that compilers and debuggers are told. Line numbers stay those of `source`.
Result translate(std::string_view source, const std::string& path);

}  // namespace kit::translate

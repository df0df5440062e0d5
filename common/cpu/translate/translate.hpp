// The translator as a function: CUDA C++ in, C++ against the headers in common/cpu/include out.
//
// It knows tokens, brackets and scopes, not types, and it works before the preprocessor. Legal CUDA that it cannot
// rewrite, and that then does not compile:
// - __shared__ or a launch in a file that is #included: only the .cu file itself is translated;
// - a keyword split over macros: `#define CONFIG <<<1, 2>>>`, `#define SHARED __shared__`;
// - a shared variable used in a lambda without capture, in a local class or as a template argument, or declared in a
//   switch before a later case label: it is a local reference here;
// - decltype of a shared variable is a reference;
// - at file scope, `extern __shared__ T a[]` is an object that converts to T*, so templates do not deduce T from it;
// - a braced list, or 0 for a null pointer, as argument of a launch whose template arguments are deduced.
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

// The translator as a function: it reads CUDA C++, and returns C++ for the headers in common/cpu/include.
//
// It knows tokens, brackets and scopes, but not types, and it works before the preprocessor. It also translates the headers that the file
// includes. It cannot rewrite the following legal CUDA, which then does not compile:
// - an #include whose name is a macro: that header is not translated;
// - a keyword split over macros: `#define CONFIG <<<1, 2>>>`, `#define SHARED __shared__`;
// - a shared variable used in a lambda without capture, in a local class or as a template argument, or declared in a
//   switch before a later case label: it is a local reference here;
// - decltype of a shared variable is a reference;
// - a shared variable at file scope in a function that a macro makes; two of one name in two namespaces;
// - a braced list, or 0 for a null pointer, as argument of a launch whose template arguments are deduced;
// - a launch through a pointer to a host function, if a macro makes one of the program's kernels, or if one is a specialization:
//   these cannot be recorded as kernels, so the function is launched as a kernel;
// - inline PTX beyond the instructions in ptx_table.cpp and ptx.cpp; textures; libraries of the CUDA toolkit:
//   the compiler prints a sentence for each;
// - __CUDA_ARCH__ outside functions, if its value differs for host and device and both use the selected code.
//
// The refuse_* passes refuse code that nvcc refuses (a host function in device code, a kernel that returns a value, ...) if the tokens
// leave no doubt. If types decide, the compiler does (refuse_overloads.cpp). Under an #if, the error becomes a directive, so that the
// compiler reports it only if it compiles the branch. tests/cpu/refused_by_nvcc has an example of each refusal, and of each error that is
// missed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kit::translate {

struct Options {
    std::vector<std::string> folders;  ///< folders in which headers are searched, as with -I
    std::vector<std::string> kept;     ///< folders whose headers are not translated
    /// Folders with CUB. Its headers contain shared variables and PTX, so those that the program includes are translated, but not checked.
    std::vector<std::string> libraries;
    bool only_libraries = false;  ///< headers outside of `libraries` are left to the compiler
    std::string before;           ///< lines before the source: macros and headers of the command line
    std::string copies;           ///< folder for translated headers; empty: headers are not translated
    std::string
        root;  ///< paths below this folder are relative to it, so every checkout has the same translation
    int architecture = 900;          ///< __CUDA_ARCH__ in device code
    bool relaxed_constexpr = false;  ///< --expt-relaxed-constexpr
    bool loops = false;  ///< each kernel gets a loop over its threads (KernelLoop in kit_cpu/launch.hpp)
};

/// A header's translation, to be written before the translation unit is compiled.
struct Copy {
    std::string path, text;
};

struct Result {
    std::string text;  ///< the translation unit; empty when there are errors
    std::vector<Copy> copies;
    std::vector<std::string> read;    ///< headers that were read; a change of one makes the translation old
    std::vector<std::string> errors;  ///< "file:line: error: ..."
};

/// Returns the name of a file in a translation: from Options::root if it lies below that folder, otherwise as it is.
std::string name_of_file(const std::string& path, const Options& options);

/// Translates `source`. Compilers and debuggers show `path` as its name, and its line numbers stay the same.
Result translate(std::string_view source, const std::string& path, const Options& options = {});

}  // namespace kit::translate

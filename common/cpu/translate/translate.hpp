// The translator as a function: CUDA C++ in, C++ against the headers in common/cpu/include out.
//
// It knows tokens, brackets and scopes, not types, and it works before the preprocessor. Headers that the file includes
// are translated with it. Legal CUDA that it cannot rewrite, and that then does not compile:
// - an #include whose name is a macro: that header is not translated;
// - a keyword split over macros: `#define CONFIG <<<1, 2>>>`, `#define SHARED __shared__`;
// - a shared variable used in a lambda without capture, in a local class or as a template argument, or declared in a
//   switch before a later case label: it is a local reference here;
// - decltype of a shared variable is a reference;
// - a shared variable at file scope in a function that a macro makes; two of one name in two namespaces;
// - a braced list, or 0 for a null pointer, as argument of a launch whose template arguments are deduced;
// - a pointer that leads to a host function is launched as a kernel if a macro makes one of the program's kernels, or if one is a
//   specialization: these cannot be noted as kernels;
// - inline PTX beyond the instructions that ptx_table.cpp and ptx.cpp have; textures; libraries of the CUDA toolkit:
//   refused in a sentence, where the compiler meets them;
// - __CUDA_ARCH__ outside functions, where it chooses differently for the host and the device, and both use the choice.
//
// What nvcc refuses (a host function in device code, a kernel that returns a value, ...) is refused here, in the refuse_*
// passes, where the tokens leave no doubt; where types decide, the compiler is asked (refuse_overloads.cpp). Under an #if, the
// error becomes a directive, so that the compiler reports it only if it compiles the branch. They are read
// with tests/cpu/refused_by_nvcc, which shows each and what is missed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kit::translate {

struct Options {
    std::vector<std::string> folders;  ///< where headers are looked for, as with -I
    std::vector<std::string> kept;     ///< headers below these stay as they are
    std::string before;                ///< lines before the source: the macros and headers of a command line
    std::string copies;                ///< where translated headers go; empty: headers are not looked at
    std::string
        root;  ///< files below this folder are named from it, so that the translation is the same in every checkout
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
    std::vector<std::string> read;    ///< the headers that were read: the translation is as old as they are
    std::vector<std::string> errors;  ///< "file:line: error: ..."
};

/// The name of a file in a translation: from Options::root if it lies below that folder, otherwise as it is.
std::string name_of_file(const std::string& path, const Options& options);

/// `path` is the name that compilers and debuggers are told. Line numbers stay those of `source`.
Result translate(std::string_view source, const std::string& path, const Options& options = {});

}  // namespace kit::translate

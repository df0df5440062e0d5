// The translator as a function that reads CUDA C++ and returns C++ for the headers in common/cpu/include.
//
// The translator knows tokens, brackets and scopes, but not types, and it works before the preprocessor. The
// translator also translates the headers that a file includes. The translator cannot rewrite the following
// legal CUDA code, which then does not compile:
// - an #include whose name is a macro, because that header is not translated;
// - a keyword that is divided over macros: `#define CONFIG <<<1, 2>>>`, `#define SHARED __shared__`;
// - a shared variable in a lambda without capture, in a local class, as a template argument, or declared in a
//   switch before a later case label, because in the translation it is a local reference;
// - decltype of a shared variable, which is a reference in the translation;
// - a shared variable at file scope in a function that a macro defines; two such variables with the same name in
//   two namespaces;
// - a braced list, or 0 for a null pointer, as an argument of a launch whose template arguments are deduced;
// - a launch through a pointer to a host function, if a macro defines a kernel of the program or if a kernel is a
//   specialization: such kernels cannot be recorded, so the host function is launched as a kernel;
// - inline PTX with instructions that are not in ptx_table.cpp or ptx.cpp, textures, and libraries of the CUDA
//   toolkit: the compiler prints an explanation for each;
// - __CUDA_ARCH__ outside of functions, if its value differs for host and device and both use the selected code.
//
// The refuse_* passes refuse code that nvcc refuses (a host function in device code, a kernel that returns a
// value, ...) if the tokens leave no doubt. If types matter, the compiler decides (refuse_overloads.cpp). Under
// an #if, the error becomes an #error directive, so the compiler reports it only if it compiles the branch.
// tests/cpu/refused_by_nvcc has an example of each refusal, and of each error that is missed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kit::translate {

struct Options {
    std::vector<std::string> folders;  ///< folders in which headers are searched, as with -I
    std::vector<std::string> kept;     ///< folders whose headers are not translated
    /// Folders with CUB. The headers of CUB contain shared variables and PTX, so those that the program
    /// includes are translated, but not checked.
    std::vector<std::string> libraries;
    bool only_libraries = false;  ///< headers outside of `libraries` are left to the compiler
    std::string before;           ///< lines before the source: macros and headers of the command line
    std::string copies;           ///< folder for translated headers; empty: headers are not translated
    std::string
        root;  ///< folder to which paths in the translation are relative, so that every checkout has the same
               ///< translation
    int architecture = 900;          ///< value of __CUDA_ARCH__ in device code
    bool relaxed_constexpr = false;  ///< whether --expt-relaxed-constexpr was given
    bool loops = false;              ///< whether each kernel gets a loop over its threads (KernelLoop in
                                     ///< kit_cpu/launch.hpp)
};

/// The translation of a header. The translated header must be written before the translation unit is
/// compiled.
struct Copy {
    std::string path, text;
};

struct Result {
    std::string text;  ///< translated source; empty after an error
    std::vector<Copy> copies;
    std::vector<std::string> read;    ///< headers that were read; if one of them changes, the translation is
                                      ///< out of date
    std::vector<std::string> errors;  ///< messages such as "file:line: error: ..."
};

/// Returns the name of a file in a translation: relative to Options::root if the file is below that folder,
/// otherwise unchanged.
std::string name_of_file(const std::string& path, const Options& options);

/// Translates `source`. Compilers and debuggers show `path` as the name of the file, with its original line
/// numbers.
Result translate(std::string_view source, const std::string& path, const Options& options = {});

}  // namespace kit::translate

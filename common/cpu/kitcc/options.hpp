// The command line of kitcc: nvcc's options, as far as they mean something without a GPU.
#pragma once

#include <string>
#include <vector>

namespace kitcc {

struct Options {
    std::vector<std::string> inputs;
    std::string output;
    std::vector<std::string> folders;  ///< of -I, for the translator; also in `compile`
    std::vector<std::string> compile;  ///< for the C++ compiler
    std::vector<std::string> macros;   ///< lines: #define NAME VALUE, #undef NAME
    std::vector<std::string> headers;  ///< of -include
    std::vector<std::string> link;
    std::string standard = "c++17";
    int architecture = 0;            ///< __CUDA_ARCH__; 0: as the course is configured
    bool relaxed_constexpr = false;  ///< device code may call constexpr functions of the host
    std::string level;               ///< of optimisation, such as 2; counts only with:
    bool unchecked = false;          ///< without the checks' hooks, and optimised
    bool objects_only = false;
    bool all_cuda = false;  ///< -x cu
    bool run = false;
    std::vector<std::string> run_arguments;
    bool verbose = false, dry = false;
    bool help = false, version = false;
};

/// Throws std::runtime_error with a sentence that names the option that is not known.
Options read_options(const std::vector<std::string>& words);

extern const char* const help;

}  // namespace kitcc

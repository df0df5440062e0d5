// The command line of kitcc: those of nvcc's options that have a meaning without a GPU.
#pragma once

#include <string>
#include <vector>

namespace kitcc {

struct Options {
    std::vector<std::string> inputs;
    std::string output;
    std::vector<std::string> folders;  ///< folders of -I for the translator, which `compile` has, too
    std::vector<std::string> compile;  ///< options for the C++ compiler
    std::vector<std::string> macros;   ///< lines such as #define NAME VALUE and #undef NAME
    std::vector<std::string> headers;  ///< headers of -include
    std::vector<std::string> link;
    std::string standard = "c++17";
    int architecture = 0;            ///< value of __CUDA_ARCH__; 0: as the course is configured
    bool relaxed_constexpr = false;  ///< device code may call constexpr functions of the host
    std::string level;               ///< level of optimization, such as 2, if `unchecked`
    bool unchecked = false;          ///< compile without the checks' hooks, and optimized
    bool objects_only = false;
    bool device_link = false;                                  ///< -dlink
    bool static_library = false;                               ///< -lib
    std::string output_folder;                                 ///< folder of objects
    bool all_cuda = false;                                     ///< -x cu
    bool no_cuda = false;                                      ///< -x c++
    bool forward = false;                                      ///< pass unknown options to the compiler
    bool rule = false, rule_only = false, rule_phony = false;  ///< rules for make
    std::string rule_file, rule_target;
    std::string explained;  ///< kind of report whose page to print
    bool run = false;
    std::vector<std::string> run_arguments;
    bool verbose = false, dry = false;
    bool help = false, version = false;
};

/// Throws std::runtime_error, which names the unknown option.
Options read_options(const std::vector<std::string>& words);

extern const char* const help;

}  // namespace kitcc

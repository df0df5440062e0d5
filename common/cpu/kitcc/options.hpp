// The command line of kitcc, which accepts those options of nvcc that make sense without a GPU.
#pragma once

#include <string>
#include <vector>

namespace kitcc {

struct Options {
    std::vector<std::string> inputs;
    std::string output;
    std::vector<std::string> folders;  ///< folders of -I for the translator; `compile` also has them
    std::vector<std::string> compile;  ///< options for the C++ compiler
    std::vector<std::string> macros;   ///< lines such as #define NAME VALUE and #undef NAME
    std::vector<std::string> headers;  ///< headers from the option -include
    std::vector<std::string> link;
    std::string standard = "c++17";
    int architecture = 0;            ///< value of __CUDA_ARCH__; 0: the value with which the course is
                                     ///< configured
    bool relaxed_constexpr = false;  ///< whether device code can call constexpr functions of the host
    std::string level;               ///< level of optimization, such as 2, if `unchecked` is set
    bool unchecked = false;          ///< whether to compile with optimization and without the checks
    bool objects_only = false;
    bool device_link = false;     ///< whether -dlink was given
    bool static_library = false;  ///< whether -lib was given
    std::string output_folder;    ///< folder for object files
    bool all_cuda = false;        ///< whether -x cu was given
    bool no_cuda = false;         ///< whether -x c++ was given
    /// Whether unknown options are passed to the compiler.
    bool forward = false;
    bool rule = false, rule_only = false, rule_phony = false;  ///< whether to write rules for make, and which
    std::string rule_file, rule_target;
    std::string explained;  ///< kind of report whose page kitcc must print
    bool run = false;
    std::vector<std::string> run_arguments;
    bool verbose = false, dry = false;
    bool help = false, version = false;
};

/// Reads the options. Throws std::runtime_error with the name of an unknown option.
Options read_options(const std::vector<std::string>& words);

extern const char* const help;

}  // namespace kitcc

// Reads the options of nvcc: short and long names, values that are joined or the next word, and lists with
// commas.
#include "options.hpp"

#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>

#include "option_names.hpp"

namespace kitcc {

namespace {

/// Splits a list at its commas. In options for the C++ compiler, blanks can also separate the elements.
std::vector<std::string> split(const std::string& text, const char* separators = ",") {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (std::string(separators).find(c) != std::string::npos)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

/// Ignores optimization levels such as -O3, with which the compiler would merge loads and stores that the
/// checks must see.
void take_for_compiler(Options& options, const std::string& text) {
    for (const std::string& one : split(text, ", ")) {
        if (one.empty()) continue;
        if (one.compare(0, 2, "-O") == 0) {
            options.level = one.substr(2);
            continue;
        }
        options.compile.push_back(one);
        options.link.push_back(one);
    }
}

/// Returns the C++ standard to compile with. The standard is at least C++17, which the executor's headers
/// need.
std::string standard_of(const std::string& name) {
    static const std::set<std::string> older = {"c++03", "c++98", "c++11", "c++14"};
    return older.count(name) ? "c++17" : name;
}

/// Returns the architecture as a number: 900 for sm_90, compute_90a and arch=compute_90,code=sm_90; 0 for
/// native and all.
int architecture_of(const std::string& text) {
    const std::size_t at = text.find_first_of("0123456789");
    return at == std::string::npos ? 0 : 10 * std::stoi(text.substr(at, 3));
}

/// Stores a macro of the command line. The macro is defined after the executor's headers, which an option
/// like -DN=1024 must not change. Macros that begin with an underscore are meant for the headers and are
/// passed to the compiler.
void take_macro(Options& options, bool define, const std::string& text) {
    if (text[0] == '_') return options.compile.push_back((define ? "-D" : "-U") + text);
    const std::size_t equals = text.find('=');
    std::string line = (define ? "#define " : "#undef ") + text.substr(0, equals);
    if (define) line += ' ' + (equals == std::string::npos ? "1" : text.substr(equals + 1));
    options.macros.push_back(line);
}

void take_library(Options& options, const std::string& name) {
    static const std::set<std::string> own = {
        "cudart", "cudart_static", "cudadevrt",    "cuda",           "rt",     "dl",    "pthread",
        "m",      "nccl",          "nvshmem_host", "nvshmem_device", "cublas", "curand"};
    static const std::set<std::string> absent = {"cublasLt", "cufft", "cusparse", "cusolver",
                                                 "nvrtc",    "cudnn", "nppc",     "nvToolsExt"};
    if (absent.count(name))
        throw std::runtime_error("the CPU executor has no library " + name + ": this program needs a GPU");
    if (!own.count(name)) options.link.push_back("-l" + name);
}

/// Returns whether the folder has the headers of a CUDA toolkit, or its copy of Thrust, CUB and libcu++. The executor's headers and the
/// libraries that CMake has found come first, and none of these is translated.
bool is_of_toolkit(const std::string& folder) {
    const std::filesystem::path path(folder);
    std::error_code failed;
    return std::filesystem::exists(path / "crt/host_defines.h", failed) ||
           (std::filesystem::exists(path / "cuda/std/version", failed) &&
            std::filesystem::exists(path / "thrust/version.h", failed));
}

void take(Options& options, Kind kind, const std::string& name, const std::string& value) {
    switch (kind) {
        case Kind::nothing:
        case Kind::nothing_value:
            break;
        case Kind::refused:
            throw std::runtime_error(
                name +
                " requests a file that only nvcc can make. kitcc makes objects (-c), programs and "
                "libraries (-lib, -shared)");
        case Kind::output:
            options.output = value;
            break;
        case Kind::output_folder:
            options.output_folder = value;
            break;
        case Kind::folder:
            if (is_of_toolkit(value)) {
                options.compile.insert(options.compile.end(), {"-idirafter", value});
                break;
            }
            options.folders.push_back(value);
            options.compile.push_back("-I" + value);
            break;
        case Kind::header:
            options.headers.push_back(value);
            break;
        case Kind::to_compiler:
            options.compile.push_back(name == "--disable-warnings" ? "-w" : name);
            break;
        case Kind::to_linker:
            options.link.push_back("-shared");
            break;
        case Kind::value_to_compiler:
            if (is_of_toolkit(value)) {
                options.compile.insert(options.compile.end(), {"-idirafter", value});
                break;
            }
            options.compile.push_back("-isystem");
            options.compile.push_back(value);
            options.folders.push_back(value);
            break;
        case Kind::define:
        case Kind::undefine:
            take_macro(options, kind == Kind::define, value);
            break;
        case Kind::standard:
            options.standard = standard_of(value);
            break;
        case Kind::library:
            take_library(options, value);
            break;
        case Kind::library_folder:
            options.link.push_back("-L" + value);
            break;
        case Kind::compiler_list:
            take_for_compiler(options, value);
            break;
        case Kind::linker_list:
            options.link.push_back("-Wl," + value);
            break;
        case Kind::architecture:
        case Kind::generate:
            options.architecture = architecture_of(value);
            break;
        case Kind::language:
            if (value != "cu" && value != "c++")
                throw std::runtime_error("-x " + value + " is unknown: use -x cu or -x c++");
            options.all_cuda = value == "cu";
            options.no_cuda = value == "c++";
            break;
        case Kind::default_stream:
            if (value == "per-thread")
                std::fprintf(stderr,
                             "kitcc: warning: the executor only supports the legacy default stream, which "
                             "waits for all "
                             "other streams, and not one default stream for each thread\n");
            break;
        case Kind::forward:
            options.forward = true;
            break;
        case Kind::rule:
            options.rule = options.rule_only = true;
            break;
        case Kind::rule_and_compile:
            options.rule = true;
            break;
        case Kind::rule_file:
            options.rule_file = value;
            break;
        case Kind::rule_target:
            options.rule_target = value;
            break;
        case Kind::rule_phony:
            options.rule_phony = true;
            break;
        case Kind::options_file:
            break;  // the words of the options file have replaced the option
        case Kind::level:
            options.level = value;
            break;
        case Kind::unchecked:
            options.unchecked = true;
            break;
        case Kind::objects:
            options.objects_only = true;
            break;
        case Kind::device_link:
            options.device_link = true;
            break;
        case Kind::static_library:
            options.static_library = true;
            break;
        case Kind::run:
            options.run = true;
            break;
        case Kind::run_arguments:
            for (const std::string& one : split(value)) options.run_arguments.push_back(one);
            break;
        case Kind::explain:
            options.explained = value.empty() ? "?" : value;
            break;
        case Kind::relaxed:
            options.relaxed_constexpr = true;
            break;
        case Kind::verbose:
            options.verbose = true;
            break;
        case Kind::dry:
            options.verbose = options.dry = true;
            break;
        case Kind::help:
            options.help = true;
            break;
        case Kind::version:
            options.version = true;
            break;
    }
}

/// Returns the option at the start of `word`; empty if there is none. Sets `value` if it is joined, as in
/// -Idir, -O3 and --std=c++17.
std::string find_option(const std::string& word, std::string& value, bool& joined) {
    joined = false;
    if (kinds().count(word)) return word;
    const std::size_t equals = word.find('=');
    if (equals != std::string::npos && kinds().count(word.substr(0, equals)) &&
        takes_value(kinds().at(word.substr(0, equals)))) {
        value = word.substr(equals + 1);
        joined = true;
        return word.substr(0, equals);
    }
    static const std::set<std::string> short_names = {"-I", "-D", "-U", "-l", "-L", "-o", "-O", "-t", "-m"};
    if (!short_names.count(word.substr(0, 2))) return "";
    value = word.substr(2);
    joined = true;
    return word.substr(0, 2);
}

/// Returns the words of a command line, in which the contents of options files replace the files.
std::vector<std::string> with_files(const std::vector<std::string>& words) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::size_t equals = words[i].find('=');
        const std::string name = words[i].substr(0, equals);
        if (!kinds().count(name) || kinds().at(name) != Kind::options_file) {
            all.push_back(words[i]);
            continue;
        }
        if (equals == std::string::npos && i + 1 == words.size())
            throw std::runtime_error("the option " + name + " needs a value");
        const std::string path = equals == std::string::npos ? words[++i] : words[i].substr(equals + 1);
        std::ifstream file(path);
        if (!file) throw std::runtime_error("there is no file " + path);
        for (std::string word; file >> word;) all.push_back(word);
    }
    return all;
}

}  // namespace

Options read_options(const std::vector<std::string>& command_line) {
    const std::vector<std::string> words = with_files(command_line);
    Options options;
    std::vector<std::string> unknown;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word.empty() || word[0] != '-') {
            options.inputs.push_back(word);
            continue;
        }
        std::string value;
        bool joined = false;
        const std::string name = find_option(word, value, joined);
        if (name.empty()) {
            unknown.push_back(word);
            continue;
        }
        const Kind kind = kinds().at(name);
        if (takes_value(kind) && !joined) {
            const bool may_be_bare = kind == Kind::level || (kind == Kind::explain && i + 1 == words.size());
            if (!may_be_bare) {
                if (i + 1 == words.size()) throw std::runtime_error("the option " + name + " needs a value");
                value = words[++i];
            }
        }
        take(options, kind, name, value);
    }
    for (const std::string& word : unknown) {
        if (!options.forward)
            throw std::runtime_error(
                "unknown option '" + word +
                "': kitcc --help lists the options. -Xcompiler passes an option to the C++ compiler");
        take_for_compiler(options, word);
    }
    return options;
}

}  // namespace kitcc

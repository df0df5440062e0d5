// Reads nvcc's options: short and long names, values joined or as the next word, lists with commas.
#include "options.hpp"

#include <cctype>
#include <cstdio>
#include <fstream>
#include <set>
#include <stdexcept>

#include "option_names.hpp"

namespace kitcc {

namespace {

/// Splits a list, whose separators are commas; options for the C++ compiler may have blanks instead.
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

/// Ignores levels such as -O3, which would let the compiler merge loads and stores that the checks watch. kitcc has its own level.
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

/// Returns the standard to compile with: at least C++17, because the executor's headers need it.
std::string standard_of(const std::string& name) {
    static const std::set<std::string> older = {"c++03", "c++98", "c++11", "c++14"};
    return older.count(name) ? "c++17" : name;
}

/// Returns 900 for sm_90, compute_90a and arch=compute_90,code=sm_90; 0 for native and all.
int architecture_of(const std::string& text) {
    const std::size_t at = text.find_first_of("0123456789");
    return at == std::string::npos ? 0 : 10 * std::stoi(text.substr(at, 3));
}

/// Takes a macro of the program, which is defined after the executor's headers, because -DN=1024 must not change them. Macros that begin
/// with an underscore are for the headers.
void take_macro(Options& options, bool define, const std::string& text) {
    if (text[0] == '_') return options.compile.push_back((define ? "-D" : "-U") + text);
    const std::size_t equals = text.find('=');
    std::string line = (define ? "#define " : "#undef ") + text.substr(0, equals);
    if (define) line += ' ' + (equals == std::string::npos ? "1" : text.substr(equals + 1));
    options.macros.push_back(line);
}

void take_library(Options& options, const std::string& name) {
    static const std::set<std::string> own = {
        "cudart", "cudart_static", "cudadevrt",    "cuda",           "rt",    "dl", "pthread",
        "m",      "nccl",          "nvshmem_host", "nvshmem_device", "cublas", "curand"};
    static const std::set<std::string> absent = {"cublasLt", "cufft", "cusparse",  "cusolver",
                                                 "nvrtc",    "cudnn",  "nppc",  "nvToolsExt"};
    if (absent.count(name))
        throw std::runtime_error("the CPU executor has no library " + name + ": this program needs a GPU");
    if (!own.count(name)) options.link.push_back("-l" + name);
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
            break;  // its words have replaced it
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

/// Returns the option in `word`; empty if there is none. Sets `value` if it is joined, as in -Idir, -O3 and --std=c++17.
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

/// Returns the words of a command line, with those of options files in place of the files.
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

// Reads nvcc's options: short and long names, values joined or as the next word, lists with commas.
#include "options.hpp"

#include <cctype>
#include <map>
#include <set>
#include <stdexcept>

namespace kitcc {

const char* const help =
    R"(kitcc [option...] file.cu... : compiles CUDA programs for the CPU executor, with nvcc's options

  -o FILE            the program, or with -c the object file
  -c, -dc            objects only
  -run               run the program afterwards; without -o it is not kept. --run-args A,B: its arguments
  -x cu              every source is CUDA
  -I DIR, -isystem DIR, -include FILE, -D NAME[=VALUE], -U NAME, -std=c++17
  -l NAME, -L DIR    libraries
  -Xcompiler A,B     for the C++ compiler; -Xlinker A,B for the linker
  -arch, -gencode    set __CUDA_ARCH__ in device code
  -unchecked         a fast program: optimised (-O3, or the -O that is given), and without what the checks need
  -w                 no warnings
  -v, --dryrun       show the commands, only show them
  --version, --help
  -g -G -lineinfo -rdc -Xptxas and others that concern the GPU's code are accepted and change nothing:
  the executor's checks need what the compiler gives them, and every program can be debugged.

Inputs are .cu, .cpp, .cc, .cxx, .c, .o, .a and .so. Environment variables of the executor: common/cpu/README.md.
)";

namespace {

/// What becomes of an option.
enum class Kind {
    nothing,        ///< accepted
    nothing_value,  ///< accepted with its value
    relaxed,        ///< --expt-relaxed-constexpr
    output,
    folder,
    header,
    to_compiler,
    value_to_compiler,
    define,
    undefine,
    standard,
    library,
    library_folder,
    compiler_list,
    linker_list,
    architecture,
    generate,
    language,
    level,
    unchecked,
    objects,
    run,
    run_arguments,
    verbose,
    dry,
    help,
    version
};

const std::map<std::string, Kind>& kinds() {
    static const std::map<std::string, Kind> all = {{"-o", Kind::output},
                                                    {"--output-file", Kind::output},
                                                    {"-c", Kind::objects},
                                                    {"--compile", Kind::objects},
                                                    {"-dc", Kind::objects},
                                                    {"--device-c", Kind::objects},
                                                    {"-I", Kind::folder},
                                                    {"--include-path", Kind::folder},
                                                    {"-isystem", Kind::value_to_compiler},
                                                    {"--system-include", Kind::value_to_compiler},
                                                    {"-include", Kind::header},
                                                    {"--pre-include", Kind::header},
                                                    {"-D", Kind::define},
                                                    {"--define-macro", Kind::define},
                                                    {"-U", Kind::undefine},
                                                    {"--undefine-macro", Kind::undefine},
                                                    {"-std", Kind::standard},
                                                    {"--std", Kind::standard},
                                                    {"-l", Kind::library},
                                                    {"--library", Kind::library},
                                                    {"-L", Kind::library_folder},
                                                    {"--library-path", Kind::library_folder},
                                                    {"-Xcompiler", Kind::compiler_list},
                                                    {"--compiler-options", Kind::compiler_list},
                                                    {"-Xlinker", Kind::linker_list},
                                                    {"--linker-options", Kind::linker_list},
                                                    {"-arch", Kind::architecture},
                                                    {"--gpu-architecture", Kind::architecture},
                                                    {"-gencode", Kind::generate},
                                                    {"--generate-code", Kind::generate},
                                                    {"-x", Kind::language},
                                                    {"--x", Kind::language},
                                                    {"-run", Kind::run},
                                                    {"--run", Kind::run},
                                                    {"-run-args", Kind::run_arguments},
                                                    {"--run-args", Kind::run_arguments},
                                                    {"-v", Kind::verbose},
                                                    {"--verbose", Kind::verbose},
                                                    {"-dryrun", Kind::dry},
                                                    {"--dryrun", Kind::dry},
                                                    {"-h", Kind::help},
                                                    {"--help", Kind::help},
                                                    {"-V", Kind::version},
                                                    {"--version", Kind::version},
                                                    {"-w", Kind::to_compiler},
                                                    {"--disable-warnings", Kind::to_compiler},
                                                    {"-pthread", Kind::to_compiler},
                                                    {"-g", Kind::nothing},
                                                    {"--debug", Kind::nothing},
                                                    {"-G", Kind::nothing},
                                                    {"--device-debug", Kind::nothing},
                                                    {"-lineinfo", Kind::nothing},
                                                    {"--generate-line-info", Kind::nothing},
                                                    {"-m64", Kind::nothing},
                                                    {"-use_fast_math", Kind::nothing},
                                                    {"--use_fast_math", Kind::nothing},
                                                    {"-link", Kind::nothing},
                                                    {"-extended-lambda", Kind::nothing},
                                                    {"--extended-lambda", Kind::nothing},
                                                    {"--expt-extended-lambda", Kind::nothing},
                                                    {"-expt-relaxed-constexpr", Kind::relaxed},
                                                    {"--expt-relaxed-constexpr", Kind::relaxed},
                                                    {"-Wno-deprecated-gpu-targets", Kind::nothing},
                                                    {"-res-usage", Kind::nothing},
                                                    {"--resource-usage", Kind::nothing},
                                                    {"-unchecked", Kind::unchecked},
                                                    {"--unchecked", Kind::unchecked},
                                                    {"-O", Kind::level},
                                                    {"--optimize", Kind::level},
                                                    {"-rdc", Kind::nothing_value},
                                                    {"--relocatable-device-code", Kind::nothing_value},
                                                    {"-Xptxas", Kind::nothing_value},
                                                    {"--ptxas-options", Kind::nothing_value},
                                                    {"-Xnvlink", Kind::nothing_value},
                                                    {"-maxrregcount", Kind::nothing_value},
                                                    {"--maxrregcount", Kind::nothing_value},
                                                    {"-cudart", Kind::nothing_value},
                                                    {"--cudart", Kind::nothing_value},
                                                    {"-default-stream", Kind::nothing_value},
                                                    {"-t", Kind::nothing_value},
                                                    {"--threads", Kind::nothing_value},
                                                    {"-code", Kind::nothing_value},
                                                    {"--gpu-code", Kind::nothing_value},
                                                    {"-fmad", Kind::nothing_value},
                                                    {"--fmad", Kind::nothing_value}};
    return all;
}

bool takes_value(Kind kind) {
    switch (kind) {
        case Kind::nothing:
        case Kind::relaxed:
        case Kind::to_compiler:
        case Kind::unchecked:
        case Kind::objects:
        case Kind::run:
        case Kind::verbose:
        case Kind::dry:
        case Kind::help:
        case Kind::version:
            return false;
        default:
            return true;
    }
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == ',')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

/// 900 of sm_90, compute_90a, arch=compute_90,code=sm_90; 0 of native and all.
int architecture_of(const std::string& text) {
    const std::size_t at = text.find_first_of("0123456789");
    return at == std::string::npos ? 0 : 10 * std::stoi(text.substr(at, 3));
}

/// The macros of a program are defined behind the executor's headers, which -DN=1024 must not change; those that begin with
/// an underscore are for the headers.
void take_macro(Options& options, bool define, const std::string& text) {
    if (text[0] == '_') return options.compile.push_back((define ? "-D" : "-U") + text);
    const std::size_t equals = text.find('=');
    std::string line = (define ? "#define " : "#undef ") + text.substr(0, equals);
    if (define) line += ' ' + (equals == std::string::npos ? "1" : text.substr(equals + 1));
    options.macros.push_back(line);
}

void take_library(Options& options, const std::string& name) {
    static const std::set<std::string> own = {
        "cudart", "cudart_static", "cudadevrt",    "cuda",          "rt", "dl", "pthread",
        "m",      "nccl",          "nvshmem_host", "nvshmem_device"};
    static const std::set<std::string> absent = {"cublas",   "cublasLt", "curand", "cufft", "cusparse",
                                                 "cusolver", "nvrtc",    "cudnn",  "nppc",  "nvToolsExt"};
    if (absent.count(name))
        throw std::runtime_error("the CPU executor has no library " + name + ": this program needs a GPU");
    if (!own.count(name)) options.link.push_back("-l" + name);
}

void take(Options& options, Kind kind, const std::string& name, const std::string& value) {
    switch (kind) {
        case Kind::nothing:
        case Kind::nothing_value:
            break;
        case Kind::output:
            options.output = value;
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
        case Kind::value_to_compiler:
            options.compile.push_back(name == "--system-include" ? "-isystem" : name);
            options.compile.push_back(value);
            if (options.compile[options.compile.size() - 2] == "-isystem") options.folders.push_back(value);
            break;
        case Kind::define:
        case Kind::undefine:
            take_macro(options, kind == Kind::define, value);
            break;
        case Kind::standard:
            options.standard = value;
            break;
        case Kind::library:
            take_library(options, value);
            break;
        case Kind::library_folder:
            options.link.push_back("-L" + value);
            break;
        case Kind::compiler_list:
            for (const std::string& one : split(value)) {
                options.compile.push_back(one);
                options.link.push_back(one);
            }
            break;
        case Kind::linker_list:
            options.link.push_back("-Wl," + value);
            break;
        case Kind::architecture:
        case Kind::generate:
            options.architecture = architecture_of(value);
            break;
        case Kind::language:
            if (value != "cu") throw std::runtime_error("-x " + value + " is not known: only -x cu is");
            options.all_cuda = true;
            break;
        case Kind::level:
            options.level = value;
            break;
        case Kind::unchecked:
            options.unchecked = true;
            break;
        case Kind::objects:
            options.objects_only = true;
            break;
        case Kind::run:
            options.run = true;
            break;
        case Kind::run_arguments:
            for (const std::string& one : split(value)) options.run_arguments.push_back(one);
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

/// The option in `word`, with its value where it is joined: -Idir, -O3, --std=c++17. Empty when there is none.
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
    static const std::set<std::string> short_names = {"-I", "-D", "-U", "-l", "-L", "-o", "-O", "-t"};
    if (!short_names.count(word.substr(0, 2))) return "";
    value = word.substr(2);
    joined = true;
    return word.substr(0, 2);
}

}  // namespace

Options read_options(const std::vector<std::string>& words) {
    Options options;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word.empty() || word[0] != '-') {
            options.inputs.push_back(word);
            continue;
        }
        std::string value;
        bool joined = false;
        const std::string name = find_option(word, value, joined);
        if (name.empty())
            throw std::runtime_error("unknown option '" + word +
                                     "'; kitcc --help shows those that there are");
        const Kind kind = kinds().at(name);
        if (takes_value(kind) && !joined) {
            const bool bare_level = name == "-O" || name == "--optimize";  // -O alone
            if (!bare_level) {
                if (i + 1 == words.size()) throw std::runtime_error("the option " + name + " needs a value");
                value = words[++i];
            }
        }
        take(options, kind, name, value);
    }
    return options;
}

}  // namespace kitcc

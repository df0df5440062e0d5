// kitcc: compiles and runs CUDA programs on the CPU executor, with the options of nvcc. Each .cu file is
// translated, and then compiled by the C++ compiler with the same flags as the course's own programs
// (settings.hpp).
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <kit_cpu/link_advice.hpp>
#include <set>
#include <sstream>
#include <stdexcept>

#include "explain.hpp"
#include "options.hpp"
#include "settings.hpp"
#include "translate.hpp"

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

using kitcc::Settings;

/// Returns whether the flag is -fno-builtin-memcpy or a similar flag for a function that moves bytes.
bool is_for_bytes(const std::string& flag) {
    return flag.compare(0, 13, "-fno-builtin-") == 0;
}

/// A temporary folder for translations and objects, which is removed when kitcc ends.
class Workspace {
  public:
    Workspace() {
        std::string name = (fs::temp_directory_path() / "kitcc.XXXXXX").string();
        if (!mkdtemp(name.data()))
            throw std::runtime_error("cannot make a folder in " + fs::temp_directory_path().string());
        path_ = name;
    }
    ~Workspace() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;
    fs::path operator/(const std::string& name) const { return path_ / name; }

  private:
    fs::path path_;
};

/// Runs a command and returns its exit status, or 128 + N if signal N ended it.
int run(const Words& words, const kitcc::Options& options) {
    if (options.verbose) {
        for (const std::string& word : words) std::printf("%s ", word.c_str());
        std::printf("\n");
    }
    if (options.dry) return 0;
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        std::vector<char*> arguments;
        for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        execvp(arguments[0], arguments.data());
        std::fprintf(stderr, "kitcc: cannot run %s\n", arguments[0]);
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0) throw std::runtime_error("cannot start " + words[0]);
    if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
    if (options.run)
        std::fprintf(stderr, "kitcc: %s ended with signal %d\n", words[0].c_str(), WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

void write(const fs::path& path, const std::string& text) {
    if (path.has_parent_path()) fs::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    if (!(file << text).flush()) throw std::runtime_error("cannot write " + path.string());
}

std::string macro_lines(const kitcc::Options& options) {
    std::string lines;
    for (const std::string& line : options.macros) lines += line + "\n";
    return lines;
}

/// The text before each CUDA source. This text makes reports name the pages of kitcc. If g++ links the object
/// without the executor, the linker's last error contains the advice, because the advice is the name of a
/// variable that only the executor defines.
const char* const marks =
    "extern \"C\" { __attribute__((weak)) extern const char kit_of_kitcc = 1; extern const char "
    "kit_needs_kitcc "
    "asm(\"\\\"" KIT_LINK_ADVICE
    "\\\"\"); }\n"
    "__attribute__((used)) static const char* const kit_needs_executor = &kit_needs_kitcc;\n";

/// Writes a rule for make: the target and the files that it depends on.
void write_rule(const std::string& source, const std::string& object, const std::vector<std::string>& read,
                const kitcc::Options& options) {
    const std::string target = options.rule_target.empty() ? object : options.rule_target;
    std::string text = target + ": " + source;
    for (const std::string& header : read) text += " \\\n  " + header;
    text += "\n";
    if (options.rule_phony)
        for (const std::string& header : read) text += header + ":\n";
    if (options.rule_only && options.rule_file.empty()) {
        std::printf("%s", text.c_str());
        return;
    }
    write(options.rule_file.empty() ? fs::path(object).replace_extension(".d") : fs::path(options.rule_file),
          text);
}

/// Translates a .cu file. Returns false after an error. `object` is the object file that results in the end.
bool translate(const std::string& source, const std::string& object, const fs::path& output,
               const kitcc::Options& options, const Settings& settings) {
    std::ifstream input(source, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
    kit::translate::Options how;
    how.folders = options.folders;
    how.kept = settings.kept;
    how.libraries = settings.libraries;
    how.before = marks + macro_lines(options);
    for (const std::string& header : options.headers) how.before += "#include \"" + header + "\"\n";
    how.copies = output.string() + ".headers";
    how.architecture = options.architecture ? options.architecture : std::atoi(settings.architecture.c_str());
    how.relaxed_constexpr = options.relaxed_constexpr;
    how.loops = options.unchecked;
    const kit::translate::Result result =
        kit::translate::translate(text, fs::absolute(source).lexically_normal().string(), how);
    for (const std::string& error : result.errors) std::fprintf(stderr, "%s\n", error.c_str());
    for (const kit::translate::Copy& copy : result.copies) write(copy.path, copy.text);
    if (options.rule) write_rule(source, object, result.read, options);
    if (!result.errors.empty()) return false;
    write(output, result.text);
    return true;
}

bool is_cuda(const std::string& source, const kitcc::Options& options) {
    return options.all_cuda || (!options.no_cuda && fs::path(source).extension() == ".cu");
}

/// Compiles one source file to `object`. Returns the compiler's exit status.
int compile(const std::string& source, const std::string& object, const kitcc::Options& options,
            const Settings& settings, const Workspace& workspace, int number) {
    Words words = {settings.compiler, "-std=" + options.standard};
    const Words& flags = options.unchecked ? settings.unchecked : settings.flags;
    words.insert(words.end(), flags.begin(), flags.end());
    // Without the checks, the compiler may inline functions that move bytes, which is faster than a call.
    if (options.unchecked) {
        words.erase(std::remove_if(words.begin(), words.end(), is_for_bytes), words.end());
        words.push_back("-O" + (options.level.empty() ? "3" : options.level));
#ifdef __x86_64__
        // Without the instruction, __popc and std::bitset::count call a function, which takes several times as long.
        if (__builtin_cpu_supports("popcnt")) words.push_back("-mpopcnt");
#endif
    }
    std::string compiled = source;
    if (is_cuda(source, options)) {
        compiled =
            (workspace / (std::to_string(number) + "." + fs::path(source).filename().string() + ".cpp"))
                .string();
        if (!options.dry && !translate(source, object, compiled, options, settings)) return 1;
        // The compiler would ignore a precompiled header that was made with other options, and give no
        // warning.
        if (fs::exists(settings.header + ".gch") && !options.unchecked)
            words.insert(words.end(), {"-Wno-invalid-pch", "-include", settings.header});
        words.insert(words.end(), {"-iquote", fs::absolute(source).parent_path().string()});
    } else {
        const fs::path macros = workspace / (std::to_string(number) + ".hpp");
        write(macros, macro_lines(options));
        words.insert(words.end(), {"-include", macros.string()});
        for (const std::string& header : options.headers) words.insert(words.end(), {"-include", header});
        if (options.rule && !options.dry) write_rule(source, object, {}, options);
    }
    if (options.rule_only) return 0;
    if (options.no_cuda) words.insert(words.end(), {"-x", "c++"});
    words.insert(words.end(), options.compile.begin(), options.compile.end());
    words.insert(words.end(), {"-c", compiled, "-o", object});
    return run(words, options);
}

/// Builds the executor in the build folder of the course, where kitcc can exist before the executor. If
/// several programs are linked at the same time, one process builds, and the others wait.
int make_executor(const Settings& settings, const kitcc::Options& options) {
    const auto is_absent = [&] {
        return std::any_of(settings.linked.begin(), settings.linked.end(),
                           [](const std::string& file) { return file[0] == '/' && !fs::exists(file); });
    };
    if (settings.build.empty() || options.dry || !is_absent()) return 0;
    const std::string log = settings.build + "/kitcc.log";
    const int lock = open(log.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
    if (lock < 0 || flock(lock, LOCK_EX) != 0) throw std::runtime_error("cannot write " + log);
    int status = 0;
    if (is_absent()) {
        std::fprintf(stderr,
                     "kitcc: this is its first use, so it builds the executor (about half a minute)\n");
        status =
            run({"sh", "-c", "cmake --build '" + settings.build + "' -t kitcc_runtime > '" + log + "' 2>&1"},
                options);
        if (status) std::fprintf(stderr, "kitcc: error: the executor was not built: %s\n", log.c_str());
    }
    close(lock);
    return status;
}

/// Writes an object without code for -dlink. nvcc links device code before host code, but here there is no
/// device code.
int link_device(const kitcc::Options& options, const Settings& settings, const Workspace& workspace) {
    const fs::path empty = workspace / "empty.cpp";
    write(empty, "");
    return run({settings.compiler, "-c", empty.string(), "-o",
                options.output.empty() ? "a_dlink.o" : options.output},
               options);
}

std::string object_of(const std::string& input, const kitcc::Options& options) {
    if (!options.output.empty()) return options.output;
    return (fs::path(options.output_folder) / fs::path(input).stem()).string() + ".o";
}

int make_library(const kitcc::Options& options, const Words& objects) {
    Words words = {"ar", "rcs", options.output.empty() ? "a.a" : options.output};
    words.insert(words.end(), objects.begin(), objects.end());
    return run(words, options);
}

int link(const kitcc::Options& options, const Settings& settings, const Words& objects,
         const std::string& program) {
    Words words = {settings.compiler};
    words.insert(words.end(), objects.begin(), objects.end());
    words.insert(words.end(), options.link.begin(), options.link.end());
    words.insert(words.end(), settings.linked.begin(), settings.linked.end());
    words.insert(words.end(), {"-pthread", "-o", program});
    return run(words, options);
}

int build(const kitcc::Options& options, const Settings& settings) {
    static const std::set<std::string> sources = {".cu", ".cpp", ".cc", ".cxx", ".c", ".C"};
    const Workspace workspace;
    if (options.device_link) return link_device(options, settings, workspace);
    if (options.inputs.empty()) throw std::runtime_error("no input file: see kitcc --help");
    const bool no_program = options.objects_only || options.rule_only || options.static_library;
    if (no_program && options.run)
        throw std::runtime_error("-run needs a program, but -c makes only objects");
    if (!no_program)
        if (const int status = make_executor(settings, options)) return status;
    Words objects;
    int compiled = 0;
    for (const std::string& input : options.inputs) {
        if (!fs::is_regular_file(input)) throw std::runtime_error("there is no file " + input);
        if (!sources.count(fs::path(input).extension().string()) && !options.all_cuda && !options.no_cuda) {
            objects.push_back(input);
            continue;
        }
        std::string object =
            (workspace / (std::to_string(compiled) + "." + fs::path(input).stem().string() + ".o")).string();
        if (options.objects_only || options.rule_only) {
            if (compiled > 0 && !options.output.empty())
                throw std::runtime_error("-c with -o takes one source");
            object = object_of(input, options);
        }
        if (const int status = compile(input, object, options, settings, workspace, compiled++))
            return status;
        objects.push_back(object);
    }
    if (options.objects_only || options.rule_only) return 0;
    if (options.static_library) return make_library(options, objects);

    std::string program = options.output.empty() ? "a.out" : options.output;
    if (options.run && options.output.empty()) program = (workspace / "program").string();
    if (const int status = link(options, settings, objects, program)) return status;
    if (!options.run) return 0;
    Words words = {fs::absolute(program).string()};
    words.insert(words.end(), options.run_arguments.begin(), options.run_arguments.end());
    return run(words, options);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const kitcc::Options options = kitcc::read_options(Words(argv + 1, argv + argc));
        if (options.help) {
            std::printf("%s", kitcc::help);
            return 0;
        }
        if (options.version) {
            // Makefiles and scripts look for the line with the release in nvcc's form.
            std::printf(
                "kitcc: CUDA programs for the CPU executor of the course\nCuda compilation tools, release "
                "13.0, V13.0.88\n");
            return 0;
        }
        const Settings settings = kitcc::read_settings();
        if (!options.explained.empty()) return kitcc::explain(options.explained, settings.pages);
        return build(options, settings);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "kitcc: error: %s\n", error.what());
        return 1;
    }
}

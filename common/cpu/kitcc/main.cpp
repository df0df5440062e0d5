// kitcc: compiles and runs CUDA programs on the CPU executor, with nvcc's options. Each .cu file is translated and given to
// the C++ compiler with the flags that the course's own programs have; CMake writes them into kitcc.settings, beside kitcc.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>

#include "options.hpp"
#include "translate.hpp"

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// What CMake knows of the compiler. Each line of the file is a word and its value.
struct Settings {
    std::string compiler, header, architecture;
    Words flags, unchecked, kept, linked;
};

/// Warnings are the course's taste, not that of every program.
bool is_wanted(const std::string& flag) {
    return flag.compare(0, 2, "-W") != 0 || flag.compare(0, 5, "-Wno-") == 0;
}

Settings read_settings(const fs::path& path) {
    std::ifstream file(path);
    if (!file)
        throw std::runtime_error("there is no " + path.string() +
                                 ": kitcc lies in the build folder of the course");
    Settings settings;
    std::string line;
    while (std::getline(file, line)) {
        const std::size_t blank = line.find(' ');
        if (blank == std::string::npos) continue;
        const std::string word = line.substr(0, blank);
        std::string value = line.substr(blank + 1);
        if (word == "compiler") settings.compiler = value;
        if (word == "header") settings.header = value;
        if (word == "architecture") settings.architecture = value;
        if (word == "keep") settings.kept.push_back(value);
        if (word == "link") settings.linked.push_back(value);
        const bool unchecked = word == "unchecked";
        if ((word != "flag" && !unchecked) || !is_wanted(value)) continue;
        Words& flags = unchecked ? settings.unchecked : settings.flags;
        // CMake marks options of several words.
        if (value.compare(0, 6, "SHELL:") != 0) {
            flags.push_back(value);
        } else {
            std::istringstream words(value.substr(6));
            while (words >> value) flags.push_back(value);
        }
    }
    return settings;
}

/// -fno-builtin-memcpy and its like.
bool is_for_bytes(const std::string& flag) {
    return flag.compare(0, 13, "-fno-builtin-") == 0;
}

/// A folder for translations and objects, gone at the end.
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

/// Runs a command and returns its exit status, 128 + N after signal N.
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
    fs::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    if (!(file << text).flush()) throw std::runtime_error("cannot write " + path.string());
}

std::string macro_lines(const kitcc::Options& options) {
    std::string lines;
    for (const std::string& line : options.macros) lines += line + "\n";
    return lines;
}

/// Translates a .cu file; false when it told errors.
bool translate(const std::string& source, const fs::path& output, const kitcc::Options& options,
               const Settings& settings) {
    std::ifstream input(source, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
    kit::translate::Options how;
    how.folders = options.folders;
    how.kept = settings.kept;
    how.before = macro_lines(options);
    for (const std::string& header : options.headers) how.before += "#include \"" + header + "\"\n";
    how.copies = output.string() + ".headers";
    how.architecture = options.architecture ? options.architecture : std::atoi(settings.architecture.c_str());
    how.relaxed_constexpr = options.relaxed_constexpr;
    how.loops = options.unchecked;
    const kit::translate::Result result =
        kit::translate::translate(text, fs::absolute(source).lexically_normal().string(), how);
    for (const std::string& error : result.errors) std::fprintf(stderr, "%s\n", error.c_str());
    for (const kit::translate::Copy& copy : result.copies) write(copy.path, copy.text);
    if (!result.errors.empty()) return false;
    write(output, result.text);
    return true;
}

bool is_cuda(const std::string& source, const kitcc::Options& options) {
    return options.all_cuda || fs::path(source).extension() == ".cu";
}

/// Compiles one source to `object`; the exit status.
int compile(const std::string& source, const std::string& object, const kitcc::Options& options,
            const Settings& settings, const Workspace& workspace, int number) {
    Words words = {settings.compiler, "-std=" + options.standard};
    const Words& flags = options.unchecked ? settings.unchecked : settings.flags;
    words.insert(words.end(), flags.begin(), flags.end());
    // What moves bytes need not be seen, and the compiler knows better than a call.
    if (options.unchecked) {
        words.erase(std::remove_if(words.begin(), words.end(), is_for_bytes), words.end());
        words.push_back("-O" + (options.level.empty() ? "3" : options.level));
    }
    std::string compiled = source;
    if (is_cuda(source, options)) {
        compiled =
            (workspace / (std::to_string(number) + "." + fs::path(source).filename().string() + ".cpp"))
                .string();
        if (!options.dry && !translate(source, compiled, options, settings)) return 1;
        // A header that was made with other options is not used, in silence.
        if (fs::exists(settings.header) && !options.unchecked)
            words.insert(words.end(), {"-Wno-invalid-pch", "-include", settings.header});
        words.insert(words.end(), {"-iquote", fs::absolute(source).parent_path().string()});
    } else {
        const fs::path macros = workspace / (std::to_string(number) + ".hpp");
        write(macros, macro_lines(options));
        words.insert(words.end(), {"-include", macros.string()});
        for (const std::string& header : options.headers) words.insert(words.end(), {"-include", header});
    }
    words.insert(words.end(), options.compile.begin(), options.compile.end());
    words.insert(words.end(), {"-c", compiled, "-o", object});
    return run(words, options);
}

int build(const kitcc::Options& options, const Settings& settings) {
    static const std::set<std::string> sources = {".cu", ".cpp", ".cc", ".cxx", ".c", ".C"};
    if (options.inputs.empty()) throw std::runtime_error("no input file; kitcc --help shows how");
    if (options.objects_only && options.run)
        throw std::runtime_error("-run needs a program, and -c makes none");
    const Workspace workspace;
    Words objects;
    int compiled = 0;
    for (const std::string& input : options.inputs) {
        if (!fs::is_regular_file(input)) throw std::runtime_error("there is no file " + input);
        if (!sources.count(fs::path(input).extension().string()) && !options.all_cuda) {
            objects.push_back(input);
            continue;
        }
        std::string object = (workspace / (std::to_string(compiled) + ".o")).string();
        if (options.objects_only) {
            if (compiled > 0 && !options.output.empty())
                throw std::runtime_error("-c with -o takes one source");
            object = options.output.empty() ? fs::path(input).stem().string() + ".o" : options.output;
        }
        if (const int status = compile(input, object, options, settings, workspace, compiled++))
            return status;
        objects.push_back(object);
    }
    if (options.objects_only) return 0;

    std::string program = options.output.empty() ? "a.out" : options.output;
    if (options.run && options.output.empty()) program = (workspace / "program").string();
    Words words = {settings.compiler};
    words.insert(words.end(), objects.begin(), objects.end());
    words.insert(words.end(), options.link.begin(), options.link.end());
    words.insert(words.end(), settings.linked.begin(), settings.linked.end());
    words.insert(words.end(), {"-pthread", "-o", program});
    if (const int status = run(words, options)) return status;
    if (!options.run) return 0;
    words = {fs::absolute(program).string()};
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
            std::printf("kitcc: CUDA 13.0 for the CPU executor of the course\n");
            return 0;
        }
        const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
        return build(options, read_settings(folder / "kitcc.settings"));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "kitcc: error: %s\n", error.what());
        return 1;
    }
}

#include "build.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <text_layout.hpp>

#include "judge.hpp"

namespace course {

namespace {

/// Locks the build folder during a build, because two processes of Ninja must not use it at the same time.
class Lock {
  public:
    explicit Lock(const fs::path& path) : file_(open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
        if (file_ < 0 || flock(file_, LOCK_EX) != 0) throw Error(path.string() + ": cannot be locked");
    }
    Lock(const Lock&) = delete;
    ~Lock() { close(file_); }

  private:
    int file_;
};

/// Replaces a compiler message about the executor's templates by one about CUDA. The compiler prints such
/// messages at kernel launches.
std::string in_words_of_cuda(const std::string& line) {
    const Lines found = match(line, "^(.*)no match for call to .*BoundKernel<(.*)>\\) (\\(.*\\)).*$");
    if (found.size() < 4) return line;
    return found[1] + "the kernel takes (" + found[2] + "), and this launch passes " +
           replaced(found[3], "&", "");
}

/// Returns the line with paths relative to the root of the course. With ccache, the compiler names headers
/// relative to the build folder.
std::string with_paths_from_root(const Course& course, const std::string& line) {
    const std::string way_up = course.root.lexically_relative(course.build).string() + "/";
    const bool from_build = begins_with(line, way_up);
    return replaced(from_build ? line.substr(way_up.size()) : line, course.root.string() + "/", "");
}

/// Returns the compiler's messages without lines of Ninja, command lines that Ninja repeats, and notes about
/// files of the kit.
std::string compiler_message(const Course& course, const std::string& output) {
    constexpr std::size_t most_lines = 30;
    std::vector<std::string> kept;
    bool is_command = false;  // Ninja prints the command in the line after FAILED
    bool in_the_kit = false;  // whether the line belongs to a note about a file of the kit
    for (const std::string& whole : lines_of(output)) {
        const std::string line = with_paths_from_root(course, whole);
        const bool of_ninja =
            is_command || begins_with(line, "FAILED: ") || begins_with(line, "ninja: ") ||
            begins_with(line, "-- ") ||  // CMake prints such lines if the list of files has changed
            (begins_with(line, "[") && contains(line.substr(0, 12), "/"));
        is_command = begins_with(line, "FAILED: ");
        const bool way_there =
            begins_with(line, "In file included from ") || begins_with(line, "                 from ");
        if (!begins_with(line, " "))
            in_the_kit = begins_with(line, "common/") &&
                         (contains(line, ": note: ") || contains(line, "required from") ||
                          contains(line, ": In instantiation of"));
        if (!of_ninja && !way_there && !in_the_kit) kept.push_back(in_words_of_cuda(line));
    }
    if (kept.size() > most_lines) {
        kept.resize(most_lines);
        kept.push_back("(There are more lines. Fix the first error first.)");
    }
    return text_of(kept);
}

Lines warnings_in(const Course& course, const std::string& output) {
    Lines found;
    for (const std::string& line : lines_of(output)) {
        const std::string shown = with_paths_from_root(course, line);
        if (contains(line, " warning: ") && std::find(found.begin(), found.end(), shown) == found.end())
            found.push_back(shown);
    }
    return found;
}

}  // namespace

Built build_target(const Course& course, const std::string& target) {
    fs::create_directories(course.build);
    const Lock lock(course.build / "kit_build.lock");
    show_progress("building " + target);
    // Ninja prints a line "[STEP/STEPS] ..." for each step.
    const auto show_step = [&](const std::string& output) {
        const Lines step = match(output.substr(output.rfind("\n[") + 1, 24), "^\\[([0-9]+)/([0-9]+)\\]");
        if (!step.empty()) show_progress("building " + target + ": step " + step[1] + " of " + step[2]);
    };
    const Run done = run({"cmake", "--build", course.build.string(), "--target", target},
                         {{"NINJA_STATUS", "[%f/%t] "}}, show_step);
    show_progress("");
    const bool compiled =
        contains(done.output, "Building C");  // "Building CXX object" or "Building CUDA object"
    return {done.status == 0, compiled, compiler_message(course, done.output),
            warnings_in(course, done.output)};
}

namespace {

/// Returns the file or terminal to which ctest, which has started this program, prints.
fs::path output_of_parent() {
    return "/proc/" + std::to_string(getppid()) + "/fd/1";
}

}  // namespace

bool is_watched() {
    std::error_code none;
    const std::string output = fs::read_symlink(output_of_parent(), none).string();
    return begins_with(output, "/dev/pts/") || begins_with(output, "/dev/tty");
}

int columns_of_screen() {
    const int output = is_watched() ? open(output_of_parent().c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY) : -1;
    const int columns = kit::width_of(output);
    if (output >= 0) close(output);
    return columns;
}

void show_progress(const std::string& text) {
    if (!is_watched()) return;
    const int terminal = open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (terminal < 0) return;
    const std::string line = "\r\033[K" + text.substr(0, 76);
    if (write(terminal, line.data(), line.size()) < 0) {
        // An error here only means that a line of progress is missing.
    }
    close(terminal);
}

}  // namespace course

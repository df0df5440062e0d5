#include "build.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "judge.hpp"

namespace course {

namespace {

/// Held while a build runs: Ninja does not expect another Ninja in its folder.
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

/// What the compiler said: without Ninja's own lines and the command lines that it repeats.
std::string compiler_message(const Course& course, const std::string& output) {
    constexpr std::size_t most_lines = 30;
    std::vector<std::string> kept;
    bool is_command = false;  // Ninja shows the command below FAILED
    for (const std::string& line : lines_of(output)) {
        const bool of_ninja = is_command || begins_with(line, "FAILED: ") || begins_with(line, "ninja: ") ||
                              (begins_with(line, "[") && contains(line.substr(0, 12), "/"));
        is_command = begins_with(line, "FAILED: ");
        if (!of_ninja) kept.push_back(replaced(line, course.root.string() + "/", ""));
    }
    if (kept.size() > most_lines) {
        kept.resize(most_lines);
        kept.push_back("(More follows; the first error is the one to mend first.)");
    }
    return text_of(kept);
}

}  // namespace

Built build_target(const Course& course, const std::string& target) {
    fs::create_directories(course.build);
    const Lock lock(course.build / "kit_build.lock");
    show_progress("building " + target);
    const Run done = run({"cmake", "--build", course.build.string(), "--target", target});
    show_progress("");
    return {done.status == 0, compiler_message(course, done.output)};
}

bool is_watched() {
    std::error_code none;
    const std::string output =
        fs::read_symlink("/proc/" + std::to_string(getppid()) + "/fd/1", none).string();
    return begins_with(output, "/dev/pts/") || begins_with(output, "/dev/tty");
}

void show_progress(const std::string& text) {
    if (!is_watched()) return;
    const int terminal = open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (terminal < 0) return;
    const std::string line = "\r\033[K" + text.substr(0, 76);
    if (write(terminal, line.data(), line.size()) < 0) {
        // Nobody misses a line about progress.
    }
    close(terminal);
}

}  // namespace course

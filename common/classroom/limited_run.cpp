#include "limited_run.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>

#include "cage.hpp"

namespace classroom {

namespace {

using Clock = std::chrono::steady_clock;

/// Returns the children of the process; none if the process has ended.
std::vector<pid_t> children_of(pid_t process) {
    std::vector<pid_t> children;
    std::error_code gone;
    const std::string folder = "/proc/" + std::to_string(process) + "/task";
    for (auto task = std::filesystem::directory_iterator(folder, gone);
         !gone && task != std::filesystem::directory_iterator(); task.increment(gone)) {
        std::ifstream list(task->path() / "children");
        for (pid_t child; list >> child;) children.push_back(child);
    }
    return children;
}

void add_usage(pid_t process, Usage& usage) {
    const std::string folder = "/proc/" + std::to_string(process);
    std::ifstream sizes(folder + "/statm");
    std::size_t all = 0, resident = 0;
    sizes >> all >> resident;
    usage.memory += resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    std::error_code gone;
    for (auto task = std::filesystem::directory_iterator(folder + "/task", gone);
         !gone && task != std::filesystem::directory_iterator(); task.increment(gone))
        ++usage.processes;
    usage.members.push_back(process);
    for (const pid_t child : children_of(process)) add_usage(child, usage);
}

void kill_all(pid_t process) {
    for (const pid_t member : usage_of(process).members) kill(member, SIGKILL);
}

std::string excess(const Usage& usage, const RunLimits& limits) {
    if (usage.memory > limits.memory)
        return "used more than " + std::to_string(limits.memory >> 20) + " MB of memory";
    if (usage.processes > limits.processes)
        return "started more than " + std::to_string(limits.processes) + " processes";
    return "";
}

/// Turns the child process into the program. The program keeps only the three standard file descriptors, and
/// gets the limits.
[[noreturn]] void become(const std::vector<std::string>& command,
                         const std::map<std::string, std::string>& environment, const RunLimits& limits,
                         const Cage& cage, int out, int err) {
    setsid();
    cage.enter();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    close_range(STDERR_FILENO + 1, ~0u, 0);
    const rlimit no_core{0, 0}, files{256, 256}, bytes{limits.disk, limits.disk};
    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_NOFILE, &files);
    setrlimit(RLIMIT_FSIZE, &bytes);
    std::vector<std::string> words = command, variables;
    for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
    std::vector<char*> arguments, settings;
    for (std::string& word : words) arguments.push_back(word.data());
    for (std::string& variable : variables) settings.push_back(variable.data());
    arguments.push_back(nullptr);
    settings.push_back(nullptr);
    execvpe(arguments[0], arguments.data(), settings.data());
    std::perror(arguments[0]);
    _exit(127);
}

/// Reads from the pipe. Appends up to `most` bytes to `text` and drops the rest. Returns false if the other
/// end is closed.
bool take(int file, std::string& text, std::size_t most) {
    char bytes[1 << 16];
    const ssize_t count = read(file, bytes, sizeof bytes);
    if (count > 0 && text.size() < most)
        text.append(bytes, std::min(static_cast<std::size_t>(count), most - text.size()));
    return count > 0 || (count < 0 && errno == EAGAIN);
}

}  // namespace

Usage usage_of(pid_t process) {
    Usage usage;
    add_usage(process, usage);
    return usage;
}

Ended run_limited(const std::vector<std::string>& command,
                  const std::map<std::string, std::string>& environment, const RunLimits& limits) {
    int out[2], err[2];
    if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0)
        return {127, "", "the system could not create a pipe", "", 0};
    const auto begun = Clock::now();
    const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - begun).count(); };
    const Cage cage(limits);
    const pid_t process = fork();
    if (process == 0) become(command, environment, limits, cage, out[1], err[1]);
    close(out[1]);
    close(err[1]);
    Ended ended;
    if (process < 0) {
        close(out[0]), close(err[0]);
        return {127, "", "the system could not start a process", "", 0};
    }
    pollfd files[] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
    std::string* const texts[] = {&ended.out, &ended.err};
    auto looked = begun;
    int status = 0, excesses = 0;
    bool waited = false;
    while (!waited) {
        poll(files, 2, 10);
        for (int i = 0; i < 2; ++i) {
            if (files[i].fd >= 0 && files[i].revents != 0 && !take(files[i].fd, *texts[i], limits.output))
                files[i].fd = -1;
        }
        if (files[0].fd < 0 && files[1].fd < 0) usleep(2000);
        waited = waitpid(process, &status, WNOHANG) == process;
        if (waited || Clock::now() - looked < std::chrono::milliseconds(20)) continue;
        looked = Clock::now();
        std::string reason;
        if (seconds() > limits.seconds) {
            char text[64];
            std::snprintf(text, sizeof text, "took longer than %.0f s", limits.seconds);
            reason = text;
        }
        const bool late = !reason.empty();
        const std::string refused = cage.excess();
        if (limits.spare_parent && !late) {
            for (const pid_t child : children_of(process)) {
                const std::string why = refused.empty() ? excess(usage_of(child), limits) : refused;
                if (why.empty()) continue;
                kill_all(child);
                ended.stopped_for = why;
                ++excesses;
            }
            if (excesses == 0 || (refused.empty() && excesses < 5))
                continue;  // the parent continues with the next case
        } else if (!late) {
            reason = refused.empty() ? excess(usage_of(process), limits) : refused;
            if (reason.empty()) continue;
        }
        if (!reason.empty()) ended.stopped_for = reason;
        kill_all(process);
        kill(-process, SIGKILL);
    }
    kill(-process, SIGKILL);
    if (ended.stopped_for.empty()) ended.stopped_for = cage.excess();
    for (int i = 0; i < 2;
         ++i) {  // reads the rest of the pipes without blocking, because a surviving process may keep them
                 // open
        if (files[i].fd >= 0) fcntl(files[i].fd, F_SETFL, O_NONBLOCK);
        for (int k = 0; k < 1024 && files[i].fd >= 0; ++k) {
            const std::size_t before = texts[i]->size();
            if (!take(files[i].fd, *texts[i], limits.output) || texts[i]->size() == before) break;
        }
    }
    close(out[0]);
    close(err[0]);
    ended.seconds = seconds();
    ended.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return ended;
}

}  // namespace classroom

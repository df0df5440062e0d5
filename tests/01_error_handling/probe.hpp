// Runs a part of the test in its own process, and reports how that process ended and what it printed. For students' code that
// must end the program, or that loses the CUDA context.
//
//     int main(int argc, char** argv) {
//         if (const char* what = probe_asked(argc, argv)) return run_it(what);   // in the new process
//         ...
//         Probe probe = run_probe("null");                                       // in the grader's process
#pragma once

#include <cuda_runtime.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <grader/wall.hpp>
#include <kit.cuh>
#include <sstream>
#include <string>

namespace error_handling {

/// How a probe ended.
struct Probe {
    bool started = false;
    bool timed_out = false;
    int status = -1;  ///< exit status, or -1
    int signal = 0;   ///< the signal that ended it, or 0
    std::string out;  ///< standard output
    std::string err;  ///< standard error

    /// Returns the part of standard output after `key=`, up to the end of the line, or an empty string.
    std::string value(const std::string& key) const {
        std::size_t begin = ("\n" + out).find("\n" + key + "=");
        if (begin == std::string::npos) return "";
        begin += key.size() + 1;
        return out.substr(begin, out.find('\n', begin) - begin);
    }

    /// Returns the text on standard error in one line, without the executor's reports. A report starts with "kit: ", and its other
    /// lines are indented or empty.
    std::string said() const {
        std::string text;
        bool in_report = false;
        std::istringstream lines(err.substr(0, 4000));
        for (std::string line; std::getline(lines, line);) {
            in_report = line.compare(0, 5, "kit: ") == 0 || (in_report && (line.empty() || line[0] == ' '));
            if (!in_report && !line.empty()) text += (text.empty() ? "" : " / ") + line;
        }
        return text.empty() ? "nothing on standard error" : "on standard error: " + text.substr(0, 400);
    }

    /// Describes in one phrase how the probe ended.
    std::string ending() const {
        if (!started) return "could not be started";
        if (timed_out) return "did not end within the time limit";
        if (signal != 0) return std::string("ended with signal ") + strsignal(signal);
        return "ended with status " + std::to_string(status);
    }
};

/// Begins the record of an open gap in the standard output of a probe.
constexpr char gap_record = '\x1e';

/// Returns the argument after --probe, or null if the program was not started as a probe. In a probe, an open gap (see KIT_TODO) becomes
/// a record in standard output, which relay_gaps() reads.
inline const char* probe_asked(int argc, char** argv) {
    if (argc != 3 || std::strcmp(argv[1], "--probe") != 0) return nullptr;
    kit::detail::listener.gap = [](int number, const char* file, int line) {
        std::printf("%c%d %d %s\n", gap_record, number, line, file);
        std::fflush(stdout);
    };
    return argv[2];
}

/// Reads both pipes until they close or the time is over. Returns false if the time was over.
inline bool read_both(const int (&pipes)[2], std::string (&texts)[2], double seconds) {
    using Clock = std::chrono::steady_clock;
    auto end = Clock::now() + std::chrono::duration<double>(seconds);
    pollfd fds[2] = {{pipes[0], POLLIN, 0}, {pipes[1], POLLIN, 0}};
    while (fds[0].fd >= 0 || fds[1].fd >= 0) {
        double left = std::chrono::duration<double>(end - Clock::now()).count();
        if (left <= 0) return false;
        if (poll(fds, 2, static_cast<int>(left * 1000) + 1) < 0 && errno != EINTR) return false;
        for (int i = 0; i < 2; ++i) {
            if (fds[i].fd < 0 || fds[i].revents == 0) continue;
            char buffer[4096];
            ssize_t got = read(fds[i].fd, buffer, sizeof buffer);
            if (got <= 0) {
                fds[i].fd = -1;
            } else if (texts[i].size() < 100'000) {
                texts[i].append(buffer, static_cast<std::size_t>(got));
            }
        }
    }
    return true;
}

/// Tells the grader about the open gaps in the output of a probe.
inline void relay_gaps(const std::string& out) {
    for (std::size_t at = out.find(gap_record); at != std::string::npos; at = out.find(gap_record, at + 1)) {
        int number = 0, line = 0;
        char file[500];
        if (std::sscanf(out.c_str() + at + 1, "%d %d %499[^\n]", &number, &line, file) == 3 &&
            kit::detail::listener.gap)
            kit::detail::listener.gap(number, file, line);
    }
}

/// Starts this program again as `PROGRAM --probe WHAT` and waits for its end.
inline Probe run_probe(const std::string& what, double seconds = 20) {
    Probe probe;
    if (const char* factor = std::getenv("KIT_TIME_FACTOR")) seconds *= std::atof(factor);
    int out[2], err[2];
    if (pipe2(out, O_CLOEXEC) != 0) return probe;
    if (pipe2(err, O_CLOEXEC) != 0) return close(out[0]), close(out[1]), probe;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
    std::string program = "/proc/self/exe", option = "--probe", argument = what;
    char* argv[] = {program.data(), option.data(), argument.data(), nullptr};
    pid_t child = -1;
    probe.started = posix_spawn(&child, program.c_str(), &actions, nullptr, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]), close(err[1]);
    if (probe.started) {
        std::string texts[2];
        probe.timed_out = !read_both({out[0], err[0]}, texts, seconds);
        if (probe.timed_out) kill(child, SIGKILL);
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        if (WIFEXITED(status)) probe.status = WEXITSTATUS(status);
        if (WIFSIGNALED(status)) probe.signal = WTERMSIG(status);
        probe.out = texts[0], probe.err = texts[1];
    }
    close(out[0]), close(err[0]);
    relay_gaps(probe.out);
    // Makes the results visible to the judge of a class.
    using kit::detail::passed;
    probe.started = passed("started", probe.started), probe.timed_out = passed("timed out", probe.timed_out);
    probe.status = passed("status", probe.status), probe.signal = passed("signal", probe.signal);
    probe.out = passed("standard output", probe.out), probe.err = passed("standard error", probe.err);
    return probe;
}

/// Returns how many bytes of device memory `once` does not free: the minimum of several rounds. A leak shows in every round,
/// while other users of the same GPU allocate and free at any time.
template <class Function>
std::size_t lost_memory(Function once) {
    std::size_t least = ~std::size_t{0};
    for (int round = 0; round < 5 && least > 0; ++round) {
        std::size_t before = 0, after = 0, total = 0;
        if (cudaMemGetInfo(&before, &total) != cudaSuccess) break;
        once();
        if (cudaMemGetInfo(&after, &total) != cudaSuccess) break;
        least = std::min(least, before > after ? before - after : 0);
    }
    return least;
}

/// Ends this program when it has used `seconds` of processor time. An endless loop uses it; a process that waits for its turn does not.
inline void limit_processor_time(unsigned int seconds) {
    if (const char* factor = std::getenv("KIT_TIME_FACTOR"))
        seconds = static_cast<unsigned int>(seconds * std::max(1.0, std::atof(factor)));
    const rlimit limit = {seconds, seconds};
    setrlimit(RLIMIT_CPU, &limit);
}

}  // namespace error_handling

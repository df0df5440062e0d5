// A child process, with a socket for messages of the grader between child and parent, and a pipe for
// everything that the student's code prints.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <facts/outcome.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

namespace kit::detail {

/// Packs texts into one text such as "5 hello3 you", and unpacks it. Parts that do not have this form are
/// ignored.
inline std::string pack(const std::vector<std::string>& texts) {
    std::string packed;
    for (const std::string& text : texts) packed += std::to_string(text.size()) + ' ' + text;
    return packed;
}

inline std::vector<std::string> unpack(const std::string& packed) {
    std::vector<std::string> texts;
    for (std::size_t at = 0; at < packed.size();) {
        const std::size_t space = packed.find(' ', at);
        if (space == std::string::npos) break;
        const std::size_t size = std::strtoull(packed.c_str() + at, nullptr, 10);
        texts.push_back(packed.substr(space + 1, size));
        at = space + 1 + size;
    }
    return texts;
}

enum class Message : char {
    device = 'D',
    no_device = 'X',
    begin = 'B',
    finding = 'F',  ///< an outcome with a finding of the executor
    error = 'C',    ///< an outcome with the error at which CUDA_CHECK ends the program
    gap = 'G',      ///< a TODO of the starter that the code has reached: number, line and file
    end = 'E',
    words = 'W',  ///< the worker requests these random numbers (wall_sides.hpp)
    value = 'V'   ///< the test has read this value
};

/// The child's end of the channel. A message consists of its kind, its length and its text.
class Channel {
  public:
    explicit Channel(int file) : file_(file) {}

    void send(Message kind, const std::string& text) const {
        const std::string packet = static_cast<char>(kind) + std::to_string(text.size()) + "\n" + text;
        for (std::size_t done = 0; done < packet.size();) {
            const ssize_t count = write(file_, packet.data() + done, packet.size() - done);
            if (count < 0 && errno != EINTR) _exit(3);
            done += count > 0 ? static_cast<std::size_t>(count) : 0;
        }
    }

    /// Waits until the parent has read all previous messages and output, so that later output belongs to the
    /// next case.
    void wait() const {
        char ready;
        receive(&ready, 1);
    }

    /// Receives the parent's answer, which has `size` bytes.
    void receive(void* bytes, std::size_t size) const {
        for (std::size_t done = 0; done < size;) {
            const ssize_t count = read(file_, static_cast<char*>(bytes) + done, size - done);
            if (count == 0 || (count < 0 && errno != EINTR)) _exit(3);
            done += count > 0 ? static_cast<std::size_t>(count) : 0;
        }
    }

    int file() const { return file_; }

  private:
    int file_;
};

class Child {
  public:
    template <class Body>
    explicit Child(Body&& body) {
        int report[2], output[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, report) != 0) die("socketpair");
        if (pipe2(output, O_CLOEXEC) != 0) die("pipe");
        std::fflush(nullptr);
        process_ = fork();
        if (process_ < 0) die("fork");
        if (process_ == 0) {
            close(report[0]);
            become_child(output[1]);
            body(Channel(report[1]));
        }
        close(report[1]);
        close(output[1]);
        report_ = report[0];
        output_ = output[0];
        fcntl(report_, F_SETFL, O_NONBLOCK);
        fcntl(output_, F_SETFL, O_NONBLOCK);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() {
        stop();
        close(report_);
        close(output_);
    }

    /// Waits for the next message. Returns false if the child has ended, or after the time limit, which
    /// counts the time in which the child has computed or waited. If other programs use the machine, the
    /// elapsed time can be longer.
    bool receive(double seconds, Message& kind, std::string& text) {
        using Clock = std::chrono::steady_clock;
        const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                 std::chrono::duration<double>(seconds));
        const double before = computed();
        double ready_at_deadline = -1;
        while (true) {
            drain();
            if (take(kind, text)) return true;
            if (waited_ || reap(WNOHANG)) {
                drain();
                return take(kind, text);
            }
            auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
            if (left <= 0) {
                const double done = computed() - before, late = -1e-3 * static_cast<double>(left);
                const double now_ready = ready();
                if (ready_at_deadline < 0) ready_at_deadline = now_ready;
                // One second is enough to distinguish a child that waits from a machine that other programs
                // use.
                const bool has_no_processor = now_ready - ready_at_deadline > 0.05 * late;
                const bool waits = late >= 1 && done < 0.05 * seconds && !has_no_processor;
                const double patience = has_no_processor ? most_patience_on_busy_machine : most_patience;
                if (done >= seconds || waits || late >= patience * seconds) {
                    timed_out_ = true;
                    return false;
                }
                left = 100;
            }
            pollfd files[] = {{report_open_ ? report_ : -1, POLLIN, 0},
                              {output_open_ ? output_ : -1, POLLIN, 0}};
            poll(files, 2, static_cast<int>(std::min<long long>(left, report_open_ ? 100 : 5)));
        }
    }

    /// Allows the child to start the next case.
    void go_on() { answer(std::string(1, 0)); }

    /// Sends the bytes for which the child waits. If the child does not read for a second, the report counts
    /// as closed.
    void answer(const std::string& bytes) {
        for (std::size_t done = 0; report_open_ && done < bytes.size();) {
            const ssize_t count = ::send(report_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
            if (count > 0) done += static_cast<std::size_t>(count);
            pollfd file = {report_, POLLOUT, 0};
            if (count < 0 && (errno != EAGAIN || poll(&file, 1, 1000) != 1)) report_open_ = false;
        }
    }

    /// Makes later code treat the child as one that exceeded its time limit.
    void give_up() { timed_out_ = true; }

    /// Kills the remaining processes of the child, and returns how the child ended: by itself, or by a
    /// signal.
    facts::End stop() {
        kill(-process_, SIGKILL);
        if (!waited_) {
            kill(process_, SIGKILL);
            reap(0);
            drain();
        }
        facts::End end;
        end.fault = WIFEXITED(status_) ? facts::Fault::exited : facts::Fault::crashed;
        end.status = WIFEXITED(status_) ? WEXITSTATUS(status_) : WTERMSIG(status_);
        if (end.fault == facts::Fault::crashed) end.signal = strsignal(end.status);
        return end;
    }

    /// Returns the processor time that the child has used, in seconds.
    double computed() const {
        clockid_t clock;
        timespec time = {};
        if (clock_getcpuclockid(process_, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }

    /// Returns how many seconds the child's threads were ready to run but had no processor, because other
    /// programs used the machine.
    double ready() const {
        double seconds = 0;
        const std::string threads = "/proc/" + std::to_string(process_) + "/task";
        std::error_code none;
        for (std::filesystem::directory_iterator thread(threads, none), end; !none && thread != end;
             thread.increment(none)) {
            double computed = 0, ready = 0;
            if (std::ifstream(thread->path() / "schedstat") >> computed >> ready) seconds += 1e-9 * ready;
        }
        return seconds;
    }

    bool timed_out() const { return timed_out_; }

    /// Returns the first forty lines that the child has printed since the last clear_output().
    std::vector<std::string> output() const {
        std::vector<std::string> lines = lines_;
        if (!partial_.empty() && lines.size() < most_lines) lines.push_back(partial_);
        return lines;
    }
    std::size_t lines_dropped() const { return dropped_; }
    void clear_output() {
        lines_.clear();
        partial_.clear();
        dropped_ = 0;
    }

  private:
    static constexpr double most_patience = 3, most_patience_on_busy_machine = 20;
    static constexpr std::size_t most_lines = 40, longest_line = 1000, longest_message = 1 << 28;

    [[noreturn]] static void die(const char* what) {
        std::perror(what);
        std::_Exit(1);
    }

    /// Makes the process a child with its own process group, so that its own children end with it. The child
    /// has no terminal, writes no core file, and has none of the judge's files.
    static void become_child(int output) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        const rlimit no_core{0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        unsetenv("KIT_TOKEN");
        unsetenv("KIT_VERDICT");
        const int nothing = open("/dev/null", O_RDONLY);
        dup2(nothing, STDIN_FILENO);
        dup2(output, STDOUT_FILENO);
        dup2(output, STDERR_FILENO);
        std::setvbuf(stdout, nullptr, _IOLBF, 1 << 12);
    }

    bool reap(int options) {
        waited_ = waited_ || waitpid(process_, &status_, options) == process_;
        return waited_;
    }

    /// Reads all output that has arrived.
    void drain() {
        char bytes[1 << 16];
        ssize_t count = 0;
        while (report_open_ && messages_.size() < longest_message &&
               (count = read(report_, bytes, sizeof bytes)) > 0) {
            messages_.append(bytes, static_cast<std::size_t>(count));
        }
        report_open_ = report_open_ && count != 0;
        count = -1;
        // The number of reads is limited, so that a child that prints forever does not keep the parent in
        // this loop.
        for (int i = 0; i < 256 && output_open_ && (count = read(output_, bytes, sizeof bytes)) > 0; ++i) {
            for (ssize_t k = 0; k < count; ++k) take_character(bytes[k]);
        }
        output_open_ = output_open_ && count != 0;
    }

    void take_character(char c) {
        if (c != '\n') {
            if (partial_.size() < longest_line) partial_ += c;
            return;
        }
        if (lines_.size() < most_lines) {
            lines_.push_back(partial_);
        } else {
            ++dropped_;
        }
        partial_.clear();
    }

    bool take(Message& kind, std::string& text) {
        const std::size_t end_of_size = messages_.find('\n');
        if (end_of_size == std::string::npos) return false;
        const std::size_t size = std::strtoull(messages_.c_str() + 1, nullptr, 10);
        if (messages_.size() < end_of_size + 1 + size) return false;
        kind = static_cast<Message>(messages_[0]);
        text = messages_.substr(end_of_size + 1, size);
        messages_.erase(0, end_of_size + 1 + size);
        return true;
    }

    pid_t process_ = -1;
    int report_ = -1, output_ = -1, status_ = 0;
    bool waited_ = false, timed_out_ = false, report_open_ = true, output_open_ = true;
    std::string messages_, partial_;
    std::vector<std::string> lines_;
    std::size_t dropped_ = 0;
};

}  // namespace kit::detail

// Runs kit_course watch in a pseudo terminal as a person would: sends keys, and reads the last screen.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>

#include <chrono>

#include "text.hpp"

namespace course_test {

class WatchedTerminal {
  public:
    using Clock = std::chrono::steady_clock;

    /// With `shell`, a shell with job control starts the program, so that the program can be suspended.
    WatchedTerminal(const course::fs::path& list, const std::string& exercise, bool shell = false) {
        winsize size = {};
        size.ws_col = 80, size.ws_row = 24;
        int other_end = -1;
        REQUIRE(openpty(&master_, &other_end, nullptr, nullptr, &size) == 0);
        tcgetattr(master_, &before_);
        child_ = fork();
        if (child_ == 0) {
            close(master_);
            login_tty(other_end);
            shell ? be_shell(list, exercise) : be_watch(list, exercise);
        }
        close(other_end);
    }
    WatchedTerminal(const WatchedTerminal&) = delete;
    ~WatchedTerminal() {
        close(master_);
        if (child_ > 0) kill(child_, SIGKILL), waitpid(child_, nullptr, 0);
    }

    void type(const std::string& keys) const { REQUIRE(write(master_, keys.data(), keys.size()) > 0); }
    void send(int signal) const { kill(child_, signal); }
    void resize(int columns, int rows) const {
        winsize size = {};
        size.ws_col = static_cast<unsigned short>(columns), size.ws_row = static_cast<unsigned short>(rows);
        ioctl(master_, TIOCSWINSZ, &size);
    }

    /// Waits until the last screen contains the text.
    bool shows(const std::string& text, int seconds = 30) {
        return waits_for(seconds, [&] { return course::contains(screen(), text); });
    }
    /// Waits until some screen has contained the text.
    bool says(const std::string& text) {
        return waits_for(30, [&] { return course::contains(all_, text); });
    }
    /// Waits for this time, and reads the output meanwhile.
    void look(int milliseconds) {
        const Clock::time_point end = Clock::now() + std::chrono::milliseconds(milliseconds);
        while (Clock::now() < end) take();
    }

    /// Returns the last complete screen, without colours.
    std::string screen() const {
        const std::size_t end = all_.rfind("\033[J"), begin = all_.rfind("\033[H", end);
        if (end == std::string::npos || begin == std::string::npos) return "";
        std::string text;
        for (std::size_t i = begin; i < end; ++i) {
            if (all_[i] == '\033') {
                while (i < end && !isalpha(static_cast<unsigned char>(all_[i]))) ++i;
            } else if (all_[i] != '\r') {
                text += all_[i];
            }
        }
        return text + "\n";
    }

    /// Waits until the condition is true. Returns false after the time limit.
    template <class Condition>
    bool waits_for(int seconds, const Condition& holds) {
        const Clock::time_point end = Clock::now() + std::chrono::seconds(seconds);
        while (!holds()) {
            if (Clock::now() > end) return false;
            take();
        }
        return true;
    }

    bool has_modes_of_before() const {
        termios now;
        return tcgetattr(master_, &now) == 0 && now.c_lflag == before_.c_lflag &&
               now.c_iflag == before_.c_iflag;
    }
    bool is_on_other_screen() const {
        return all_.rfind("\033[?1049h") != std::string::npos &&
               (all_.rfind("\033[?1049l") == std::string::npos ||
                all_.rfind("\033[?1049l") < all_.rfind("\033[?1049h"));
    }

    /// Waits until the program ends. Returns the exit status as a shell reports it; -1 if the program has not
    /// ended.
    int ended() {
        int status = 0;
        if (!waits_for(30, [&] { return waitpid(child_, &status, WNOHANG) == child_; })) return -1;
        child_ = -1;
        while (take()) {
        }
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }

  private:
    [[noreturn]] static void be_watch(const course::fs::path& list, const std::string& exercise) {
        const std::string path = (list.parent_path() / "bin").string() + ":" + getenv("PATH");
        if (course::fs::exists(list.parent_path() / "bin")) setenv("PATH", path.c_str(), 1);
        unsetenv("KIT_EXERCISE");
        execl(KIT_COURSE_PROGRAM, "kit_course", "--course", list.c_str(), "watch",
              exercise.empty() ? nullptr : exercise.c_str(), nullptr);
        _exit(99);
    }

    /// Runs a shell: if the program is suspended, the shell reports it, and continues it after one line from
    /// the keyboard.
    [[noreturn]] static void be_shell(const course::fs::path& list, const std::string& exercise) {
        signal(SIGTTOU, SIG_IGN);
        const pid_t job = fork();
        if (job == 0) {
            setpgid(0, 0);
            tcsetpgrp(0, getpid());
            signal(SIGTTOU, SIG_DFL);
            be_watch(list, exercise);
        }
        int status = 0;
        while (waitpid(job, &status, WUNTRACED) == job && WIFSTOPPED(status)) {
            tcsetpgrp(0, getpgrp());
            char line[16];
            if (write(1, "stopped\n", 8) < 0 || read(0, line, sizeof line) < 0) break;
            tcsetpgrp(0, job);
            kill(-job, SIGCONT);
        }
        _exit(WEXITSTATUS(status));
    }

    /// Returns whether output has arrived, after waiting for a moment.
    bool take() {
        pollfd file = {master_, POLLIN, 0};
        char bytes[4096];
        if (poll(&file, 1, 20) <= 0) return false;
        const ssize_t count = read(master_, bytes, sizeof bytes);
        if (count > 0) all_.append(bytes, static_cast<std::size_t>(count));
        return count > 0;
    }

    int master_ = -1;
    pid_t child_ = -1;
    termios before_;
    std::string all_;
};

}  // namespace course_test

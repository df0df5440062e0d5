// kit_course watch: after each save of an exercise, builds and grades it, and shows the verdict. After a pass,
// it shows questions to explain, and the next exercise. The loop waits for keys, saves, the run and signals in
// one place, and asks Session what to do next.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <text_layout.hpp>

#include "commands.hpp"
#include "watch/changes.hpp"
#include "watch/grading.hpp"
#include "watch/keys.hpp"
#include "watch/screen.hpp"

namespace course {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Several saves in a row, or the bytes of a key, count as one event, which ends when no further save or byte
/// has followed for this time.
constexpr milliseconds quiet(100), rest_of_a_key(50);

/// Makes signals readable through a file descriptor.
class Signals {
  public:
    Signals() {
        sigset_t all;
        sigemptyset(&all);
        for (const int signal : {SIGCHLD, SIGWINCH, SIGCONT, SIGTSTP, SIGINT, SIGTERM, SIGHUP, SIGQUIT})
            sigaddset(&all, signal);
        sigprocmask(SIG_BLOCK, &all, nullptr);
        file_ = signalfd(-1, &all, SFD_NONBLOCK | SFD_CLOEXEC);
    }
    Signals(const Signals&) = delete;
    ~Signals() { close(file_); }
    int descriptor() const { return file_; }
    /// Returns the next signal; 0 if there is none.
    int next() const {
        signalfd_siginfo info;
        return ::read(file_, &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo) : 0;
    }

  private:
    int file_;
};

class Watch {
  public:
    Watch(const Course& course, const Exercise* exercise)
        : course_(course), session_(course, exercise), grading_(course) {}

    /// Runs the loop until the user quits. Returns the exit status.
    int run() {
        follow(Session::Do::grade);
        while (status_ < 0) {
            terminal_.write(drawn(screen_of(session_, terminal_.size(), look_)));
            wait();
        }
        grading_.cancel();
        return status_;
    }

    std::string last_word() const {
        return session_.exercise().id() + " " +
               (session_.is_grading() ? "was being graded" : state_in_words(session_.standing()));
    }

  private:
    void wait() {
        pollfd files[] = {{STDIN_FILENO, POLLIN, 0},
                          {signals_.descriptor(), POLLIN, 0},
                          {changes_.descriptor(), POLLIN, 0},
                          {grading_.descriptor(), POLLIN, 0}};
        if (poll(files, 4, timeout()) < 0 && errno != EINTR) throw Error("poll fails");
        if (files[1].revents) take_signals();
        if (files[3].revents) grading_.read();
        if (files[2].revents) take_changes();
        take_keys(files[0].revents);
        if (const auto verdicts = grading_.verdicts()) session_.graded(*verdicts, grading_.said());
        if (grading_.runs()) session_.wait(grading_.seconds(), grading_.said());
        if (is_due_ && Clock::now() >= due_) start();
    }

    int timeout() const {
        if (!bytes_.empty()) return static_cast<int>(rest_of_a_key.count());
        if (is_due_)
            return std::max(
                0,
                static_cast<int>(std::chrono::duration_cast<milliseconds>(due_ - Clock::now()).count()) + 1);
        return grading_.runs() ? 1000 : -1;  // while a run is in progress, the screen shows its seconds
    }

    void take_signals() {
        while (const int signal = signals_.next()) {
            if (signal == SIGTSTP) suspend();
            if (signal == SIGCONT)
                terminal_.enter();  // another program has used the terminal and changed its settings
            if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT)
                status_ = 128 + signal;
        }
    }

    void take_changes() {
        const Changes::Seen seen = changes_.read();
        follow(session_.saved(seen.saved));
        if (seen.gone.count(submitted_file(course_, session_.exercise()).parent_path()))
            session_.note("The folder of this exercise was removed or moved. Restore it, then press r.");
    }

    void take_keys(short events) {
        char typed[256];
        const ssize_t count = events & POLLIN ? ::read(STDIN_FILENO, typed, sizeof typed) : 0;
        if (count <= 0 && (events & (POLLHUP | POLLERR))) status_ = 0;  // the terminal no longer exists
        if (count > 0) bytes_.append(typed, static_cast<std::size_t>(count));
        for (const int key : course::take_keys(bytes_, count <= 0)) {
            if (key == control('z')) {
                suspend();
            } else {
                follow(session_.press(key));
            }
        }
    }

    void follow(Session::Do what) {
        if (what == Session::Do::quit) status_ = 0;
        if (what != Session::Do::grade) return;
        grading_.cancel();
        is_due_ = true;
        due_ = Clock::now() + quiet;
    }

    void start() {
        is_due_ = false;
        try {
            changes_.watch(session_.files());
        } catch (const Error& error) {  // the exercise can be graded without watching its file
            session_.note(error.what());
        }
        grading_.start(session_.exercise(), std::min(terminal_.size().columns, 100));
    }

    /// Suspends the foreground process group, as the shell expects, including the build tool that may have
    /// started this program. If there is no shell, the operating system does not suspend processes.
    void suspend() {
        terminal_.leave();
        sigset_t stop;
        sigemptyset(&stop);
        sigaddset(&stop, SIGTSTP);
        sigprocmask(SIG_UNBLOCK, &stop, nullptr);
        kill(0, SIGTSTP);
        sigprocmask(SIG_BLOCK, &stop, nullptr);
        terminal_.enter();
    }

    const Course& course_;
    Session session_;
    Changes changes_;
    Signals signals_;
    Look look_{true};
    Terminal terminal_;
    Grading grading_;
    std::string bytes_;  ///< bytes of a key that is incomplete
    bool is_due_ = false;
    Clock::time_point due_;
    int status_ = -1;
};

}  // namespace

int command_watch(const Course& course, const Arguments& arguments) {
    if (arguments.size() > 1) return 2;
    const char* variable = std::getenv("KIT_EXERCISE");
    const std::string name = !arguments.empty() ? arguments[0] : variable ? variable : "";
    const Exercise* exercise = name.empty() ? nullptr : &course.named(name);
    if (!Terminal::is_there()) {
        std::fprintf(stderr, "watch needs a terminal. Without one, use: ctest --preset exercises\n");
        return 2;
    }
    std::string last_word;
    int status;
    {
        Watch watch(course, exercise);
        status = watch.run();
        last_word = watch.last_word();
    }
    std::printf("%s\n", last_word.c_str());
    return status;
}

}  // namespace course

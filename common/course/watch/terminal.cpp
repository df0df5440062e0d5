#include "watch/terminal.hpp"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "text.hpp"

namespace course {

namespace {

// Codes that select the alternate screen, hide the cursor and turn off line wrapping; and codes that restore
// these settings.
constexpr char enter_codes[] = "\033[?1049h\033[?25l\033[?7l";
constexpr char leave_codes[] = "\033[?7h\033[?25h\033[?1049l";

termios modes_before;  // a copy for the signal handler

void restore_and_die(int signal) {
    if (write(STDOUT_FILENO, leave_codes, sizeof leave_codes - 1) >= 0)
        tcsetattr(STDIN_FILENO, TCSANOW, &modes_before);
    raise(signal);  // the signal has its default action again
}

}  // namespace

bool Terminal::is_there() {
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

Terminal::Terminal() {
    if (tcgetattr(STDIN_FILENO, &before_) != 0) throw Error("the modes of the terminal cannot be read");
    modes_before = before_;
    struct sigaction action = {};
    action.sa_handler = restore_and_die;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
    enter();
}

Terminal::~Terminal() {
    leave();
}

void Terminal::enter() {
    termios modes = before_;
    modes.c_iflag &= ~static_cast<tcflag_t>(ICRNL | IXON);
    modes.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG | IEXTEN);  // makes ^C and ^Z ordinary keys
    modes.c_cc[VMIN] = 0, modes.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &modes);
    write(enter_codes);
}

void Terminal::leave() {
    if (tcgetpgrp(STDIN_FILENO) != getpgrp()) return;  // in the background, the shell uses the terminal
    write(leave_codes);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
}

Size Terminal::size() const {
    winsize size = {};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return {};
    return {size.ws_col, size.ws_row};
}

void Terminal::write(const std::string& text) const {
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t count = ::write(STDOUT_FILENO, text.data() + done, text.size() - done);
        if (count < 0 && errno != EINTR)
            return;  // the terminal no longer exists, and a signal or the next read will report this
        if (count > 0) done += static_cast<std::size_t>(count);
    }
}

}  // namespace course

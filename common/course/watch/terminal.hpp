// The terminal while `watch` uses it: every key arrives immediately, and the earlier screen comes back at the end, however the program
// ends.
#pragma once

#include <termios.h>

#include <string>

namespace course {

struct Size {
    int columns = 80, rows = 24;
};

class Terminal {
  public:
    /// Returns whether standard input and output are a terminal.
    static bool is_there();

    Terminal();
    Terminal(const Terminal&) = delete;
    ~Terminal();

    void enter();
    void leave();
    Size size() const;
    void write(const std::string& text) const;

  private:
    termios before_;
};

}  // namespace course

// The terminal while `watch` uses it: each key arrives immediately, and the previous screen is restored at
// the end, however the program ends.
#pragma once

#include <termios.h>

#include <string>

namespace course {

struct Size {
    int columns = 80, rows = 24;
};

class Terminal {
  public:
    /// Returns whether standard input and standard output are terminals.
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

// The terminal while `watch` has it: every key comes at once, and what was on the screen before comes back at the end,
// however it ends.
#pragma once

#include <termios.h>

#include <string>

namespace course {

struct Size {
    int columns = 80, rows = 24;
};

class Terminal {
  public:
    /// Standard input and output are one.
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

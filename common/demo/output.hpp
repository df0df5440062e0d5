// Prints lines that fit the screen and, on a terminal, also bars and progress.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "layout.hpp"

namespace kit::demo {

/// Prints text, and keeps it for the record.
class Output {
  public:
    Output();  ///< prints to standard output
    Output(std::FILE* to, bool is_terminal, int width) : to_(to), terminal_(is_terminal), width_(width) {}
    bool is_terminal() const { return terminal_; }
    int width() const { return width_; }

    /// Prints prose, wrapped. A '\n' ends a line.
    void say(const std::string& text);
    /// Prints lines, which must fit the screen. On a terminal, `decoration` follows the last line, before the
    /// note.
    void lines(const std::vector<std::string>& all, const std::string& decoration = "",
               const std::string& note = "");
    /// On a terminal, shows the text until the next line is printed.
    void progress(const std::string& text);
    const std::string& plain() const { return plain_; }

  private:
    std::FILE* to_;
    bool terminal_;
    int width_;
    bool in_progress_ = false;
    std::string plain_;
};

std::string format(const char* pattern, ...) __attribute__((format(printf, 1, 2)));
/// Returns the number with commas, such as "268,435,456".
std::string with_commas(long long number);
/// Prints the text to a stream, wrapped to the width of its terminal.
void print(std::FILE* to, const std::string& text);
/// Also wraps text that the runtime, the executor or CUDA_CHECK writes to standard error from now on.
void wrap_errors();

}  // namespace kit::demo

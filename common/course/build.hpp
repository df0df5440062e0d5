// Builds only the targets that a verdict needs: one exercise, and before the first one the executor.
#pragma once

#include "course.hpp"

namespace course {

struct Built {
    bool good = false;
    bool compiled = false;  ///< whether the compiler ran; if everything was up to date, there are no messages
    std::string message;    ///< messages of the compiler, with paths relative to the root; at most 30 lines
    Lines warnings;         ///< the first line of each warning
};

/// Builds a target in the build folder. If another process is building there, waits for it first.
Built build_target(const Course& course, const std::string& target);

/// Returns whether ctest prints to a terminal. The output of this program goes to ctest through a pipe.
bool is_watched();

/// Returns the width of ctest's terminal in columns; if there is none, the width that kit::width_of returns.
int columns_of_screen();

/// Shows a line of progress on ctest's terminal, if there is one. The next line replaces this line, and an
/// empty text removes it.
void show_progress(const std::string& text);

}  // namespace course

// Builds only the targets that a verdict needs: one exercise, and before the first exercise the executor.
#pragma once

#include "course.hpp"

namespace course {

struct Built {
    bool good = false;
    bool compiled = false;  ///< whether the compiler ran; if there was nothing to do, it printed nothing
    std::string message;    ///< the compiler's messages, with paths from the root; at most 30 lines
    Lines warnings;         ///< the first line of every warning
};

/// Builds one target of the build folder. If a different process is building, waits for it first.
Built build_target(const Course& course, const std::string& target);

/// Returns whether CTest prints to a terminal. Our own output goes to CTest through a pipe.
bool is_watched();

/// Returns the width of that terminal, or of kit::width_of if there is none.
int columns_of_screen();

/// Shows a line of progress, which the next one replaces, if CTest prints to a terminal. An empty text removes the line.
void show_progress(const std::string& text);

}  // namespace course

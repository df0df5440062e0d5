// Building what a verdict needs, and nothing else: one exercise, and before the first one the executor.
#pragma once

#include "course.hpp"

namespace course {

struct Built {
    bool good = false;
    bool compiled =
        false;            ///< something was: otherwise there was nothing to do, and the compiler said nothing
    std::string message;  ///< what the compiler says, with paths from the root; at most 30 lines
    Lines warnings;       ///< of these the first lines of warnings, all of them
};

/// Builds one target of the build folder. One process at a time: others wait.
Built build_target(const Course& course, const std::string& target);

/// Does a person see what CTest prints? It reads our own output through a pipe.
bool is_watched();

/// How wide the screen is that a person sees; without one see kit::width_of.
int columns_of_screen();

/// A line about what goes on, which the next one replaces: only where CTest writes to a terminal. An empty text removes it.
void show_progress(const std::string& text);

}  // namespace course

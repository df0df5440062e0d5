// Building what a verdict needs, and nothing else: one exercise, and before the first one the executor.
#pragma once

#include "course.hpp"

namespace course {

struct Built {
    bool good = false;
    std::string message;  ///< what the compiler says, with paths from the root; at most 30 lines
};

/// Builds one target of the build folder. One process at a time: others wait.
Built build_target(const Course& course, const std::string& target);

/// Does a person see what CTest prints? It reads our own output through a pipe.
bool is_watched();

/// A line about what goes on, which the next one replaces: only where CTest writes to a terminal. An empty text removes it.
void show_progress(const std::string& text);

}  // namespace course

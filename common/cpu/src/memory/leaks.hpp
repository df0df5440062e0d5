// The objects that a program has created and not destroyed. With KIT_LEAKS=1, the end of the program reports
// memory. The grader also asks for streams, events, graphs and instances, created since a moment that it has
// marked.
#pragma once

#include <cstdint>

namespace kit::cpu {

/// Returns the number (1, 2, 3, ...) for an object that is being created. Called with the API lock held.
std::uint64_t next_birth();

/// Returns the last number that next_birth() returned.
std::uint64_t births_so_far();

/// Called by all functions that allocate. The first call reads KIT_LEAKS from the environment.
void watch_for_leaks();

}  // namespace kit::cpu

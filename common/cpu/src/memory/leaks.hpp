// The objects that a program has created and not destroyed: memory, at the end of the program if KIT_LEAKS=1 is set; memory, streams,
// events, graphs and instances since a moment that the grader has marked.
#pragma once

#include <cstdint>

namespace kit::cpu {

/// Returns the number of the memory, stream, event, graph or instance that is created now: 1, 2, 3, ... Called with the API lock held.
std::uint64_t next_birth();

/// Returns the last number that was given.
std::uint64_t births_so_far();

/// Called by all functions that allocate. The first call reads the environment.
void watch_for_leaks();

}  // namespace kit::cpu

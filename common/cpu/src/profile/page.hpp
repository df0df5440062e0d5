// The profile as a page for a browser: one file that needs no others. Its frame, style and script are in page/ and are built into the
// executor; the data is inserted as JSON.
#pragma once

#include <kit_cpu/timeline.hpp>
#include <string>
#include <vector>

#include "profiler.hpp"

namespace kit::cpu {

/// The page page/page.html with style and script, and `profile_place` at the position of the data (written by common/cpu/CMakeLists.txt).
extern const char profile_page[];
constexpr char profile_place[] = "PROFILE_DATA";

/// Returns the whole file. `timeline`: empty unless streams were used; `command`: how the program was called.
std::string page_of(const std::vector<KeptProfile>& kernels, const std::vector<QueuedPiece>& timeline,
                    const std::string& command);

}  // namespace kit::cpu

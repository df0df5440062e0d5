// The profile as a page for a browser: one file that needs nothing else. Its frame, style and script lie in page/ and are built into
// the executor; what it shows is put into it as JSON.
#pragma once

#include <kit_cpu/timeline.hpp>
#include <string>
#include <vector>

#include "profiler.hpp"

namespace kit::cpu {

/// page/page.html with style and script, and with `profile_place` where the data belongs (written by common/cpu/CMakeLists.txt).
extern const char profile_page[];
constexpr char profile_place[] = "PROFILE_DATA";

/// Returns the whole file. `timeline`: empty unless streams were used; `command`: how the program was called.
std::string page_of(const std::vector<KeptProfile>& kernels, const std::vector<QueuedPiece>& timeline,
                    const std::string& command);

}  // namespace kit::cpu

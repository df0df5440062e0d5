// Writes the profile as a page for a browser. The page is one file that needs no other files. Its frame,
// style and script are in page/ and are compiled into the executor. The data is inserted as JSON.
#pragma once

#include <kit_cpu/timeline.hpp>
#include <string>
#include <vector>

#include "profiler.hpp"

namespace kit::cpu {

/// The file page/page.html with style and script. The data replaces `profile_place`.
/// common/cpu/CMakeLists.txt generates it.
extern const char profile_page[];
constexpr char profile_place[] = "PROFILE_DATA";

/// Returns the text of the page. `timeline` is empty if no streams were used. `command` is the command line
/// of the program.
std::string page_of(const std::vector<KeptProfile>& kernels, const std::vector<QueuedPiece>& timeline,
                    const std::string& command);

}  // namespace kit::cpu

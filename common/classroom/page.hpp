// The frame of every HTML page: one file that needs no other files, for light and dark screens, wide and
// narrow ones, and paper.
#pragma once

#include <string>

namespace classroom {

/// Returns a whole page. The title is text; the other arguments are HTML, CSS and JavaScript, which are
/// inserted unchanged.
std::string page_of(const std::string& title, const std::string& body, const std::string& style = "",
                    const std::string& script = "");

}  // namespace classroom

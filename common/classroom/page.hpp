// The frame of every HTML page that comes out: one file that needs nothing else, light and dark, wide and narrow, on paper too.
#pragma once

#include <string>

namespace classroom {

/// A whole page. The title is text, everything else is HTML, CSS and JavaScript as it stands.
std::string page_of(const std::string& title, const std::string& body, const std::string& style = "",
                    const std::string& script = "");

}  // namespace classroom

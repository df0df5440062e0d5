// Source files as HTML, with a number and an anchor (l00012) on every line, in the classes that Doxygen uses.
#pragma once

#include <string>

namespace site {

/// The inside of a source page. C++ and CUDA (by the ending of `file`) get colours.
std::string source_html(const std::string& file, const std::string& text);

/// The anchor of a line: l00012.
std::string line_anchor(int line);

}  // namespace site

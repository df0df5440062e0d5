// kitcc --explain NAME: a page about a kind of report, as text for a terminal.
#pragma once

#include <string>

namespace kitcc {

/// Prints the page in this folder. Without such a page the names of all are printed, and the result is 1.
int explain(const std::string& name, const std::string& folder);

/// Returns the page as text of at most `width` columns: without Markdown's marks, code indented, paragraphs wrapped.
std::string page_text(const std::string& markdown, int width);

}  // namespace kitcc

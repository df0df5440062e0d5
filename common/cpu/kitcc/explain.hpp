// kitcc --explain NAME: a page about a kind of report, as text for a terminal.
#pragma once

#include <string>

namespace kitcc {

/// Prints the page in this folder and returns 0. Without such a page, it prints the names of all pages and returns 1.
int explain(const std::string& name, const std::string& folder);

/// Returns the page as text of at most `width` columns: without Markdown's marks, code indented, paragraphs wrapped.
std::string page_text(const std::string& markdown, int width);

}  // namespace kitcc

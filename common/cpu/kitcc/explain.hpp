// kitcc --explain NAME: prints the page about a kind of report.
#pragma once

#include <string>

namespace kitcc {

/// Prints the page from this folder and returns 0. If there is no page with this name, prints the names of
/// all pages and returns 1.
int explain(const std::string& name, const std::string& folder);

/// Returns the page as text of at most `width` columns: without marks of Markdown, with indented code and
/// wrapped paragraphs.
std::string page_text(const std::string& markdown, int width);

}  // namespace kitcc

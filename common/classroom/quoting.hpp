// Quotes text for other formats. Names, remarks and output come from students, so they must never be
// interpreted as markup or code.
#pragma once

#include <string>

#include "text.hpp"

namespace classroom {

/// Converts text to UTF-8 (to_utf8) without control characters, except tabs and line ends.
std::string as_utf8(const std::string& text);

/// Quotes text for an HTML element, or for an attribute in double quotes.
std::string as_html(const std::string& text);

/// Returns the address of a file for an attribute in double quotes, such as "file:///kit/lectures/results.md".
std::string as_address(const course::fs::path& file);

/// Quotes text for a line of Markdown, so that nothing in it acts as markup.
std::string as_markdown(const std::string& text);

/// Quotes a sentence of the kit for an HTML element. The parts between backquotes become code.
std::string html_with_code(const std::string& sentence);

/// Returns the text as a block of code in Markdown, with a fence that the text cannot close.
std::string as_code_block(const std::string& text);

/// Returns a field of a CSV file as in RFC 4180. A text that a spreadsheet would treat as a formula gets a
/// leading apostrophe.
std::string as_csv(const std::string& text);
/// Returns a line of a CSV file. The fields are already quoted.
std::string csv_line(const course::Lines& fields);

/// Returns the number with at most two decimals, such as "1", "0.5" or "12.25", whatever the locale is.
std::string as_number(double value);

/// Returns an id as the name of a file or folder. A plain id is unchanged; any other id gets a unique name.
std::string as_file_name(const std::string& id);

/// Returns a number with its noun, such as "1 student" or "2 students".
std::string counted(std::size_t count, const std::string& one);

// The frame of every HTML page: one file that needs no other files, for light and dark screens, wide and
// narrow ones, and paper.

/// Returns a whole page. The title is text; the other arguments are HTML, CSS and JavaScript, which are
/// inserted unchanged.
std::string page_of(const std::string& title, const std::string& body, const std::string& style = "",
                    const std::string& script = "");

}  // namespace classroom

// Quotes text for other formats. Names, remarks and output come from students, so their content must never act as markup or code.
#pragma once

#include "text.hpp"

namespace classroom {

/// Returns UTF-8 (see to_utf8) without control characters, except tabs and line ends.
std::string as_utf8(const std::string& text);

/// Quotes text for an HTML element, or for an attribute in double quotes.
std::string as_html(const std::string& text);

/// Quotes text for a line of Markdown, so that nothing in it acts as markup.
std::string as_markdown(const std::string& text);

/// Returns a block of code, with a fence that the text cannot close.
std::string as_code_block(const std::string& text);

/// Returns a CSV field as in RFC 4180. Text that a spreadsheet would treat as a formula gets a leading apostrophe.
std::string as_csv(const std::string& text);
/// Returns a line of fields that are already quoted.
std::string csv_line(const course::Lines& fields);

/// Returns "1", "0.5" or "12.25": at most two decimals, independent of the locale.
std::string as_number(double value);

/// Returns a name for a file or folder: an ordinary name is unchanged, and any other gets a unique name.
std::string as_file_name(const std::string& id);

/// Returns "1 student" or "2 students".
std::string counted(std::size_t count, const std::string& one);

}  // namespace classroom

// Text as other formats want it. Names, remarks and output come from students: whatever they contain, it must stay text there.
#pragma once

#include "text.hpp"

namespace classroom {

/// UTF-8 (see to_utf8) without control characters but tabs and line ends.
std::string as_utf8(const std::string& text);

/// For the text of an element, or an attribute in double quotes.
std::string as_html(const std::string& text);

/// For a line of Markdown: nothing in it is markup.
std::string as_markdown(const std::string& text);

/// A block of code, with a fence that the text cannot close.
std::string as_code_block(const std::string& text);

/// A field as RFC 4180 has it. What a spreadsheet would take for a formula gets an apostrophe in front.
std::string as_csv(const std::string& text);
/// A line of fields, which are quoted already.
std::string csv_line(const course::Lines& fields);

/// "1", "0.5", "12.25": at most two decimals, whatever the locale.
std::string as_number(double value);

/// A name for a file or folder: an ordinary one stays as it is, any other gets one that no other has.
std::string as_file_name(const std::string& id);

/// "1 student", "2 students".
std::string counted(std::size_t count, const std::string& one);

}  // namespace classroom

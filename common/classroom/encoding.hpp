// Converts text from students' machines to a plain form: UTF-8, lines that end with "\n", no byte order mark.
#pragma once

#include <string>
#include <string_view>

namespace classroom {

/// Returns the text itself if it is UTF-8. Otherwise treats it as Latin-1 and converts it to UTF-8.
std::string to_utf8(std::string_view text);

/// Returns the form of a file that is graded: UTF-8 without a byte order mark, and every line ends with "\n". Lines keep their
/// numbers. Files that differ only in these respects are one text, which Entry::content names.
std::string graded_text(std::string_view text);

/// Returns a name from an untrusted archive in a form that is safe in a sentence: UTF-8, without control characters, shortened.
std::string shown_name(std::string_view name);

/// Replaces the capital letters of ASCII with small ones.
std::string in_small_letters(std::string text);

}  // namespace classroom

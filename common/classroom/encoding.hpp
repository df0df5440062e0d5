// Converts text from students' machines to one form: UTF-8, lines that end with "\n", and no byte order mark.
#pragma once

#include <string>
#include <string_view>

namespace classroom {

/// Returns the text unchanged if it is valid UTF-8. Otherwise, treats the text as Latin-1 and converts it to
/// UTF-8.
std::string to_utf8(std::string_view text);

/// Returns the text of a file in the form that is graded: UTF-8 without a byte order mark, with lines that
/// end with "\n". Lines keep their numbers. Files that differ only in these respects have the same graded
/// text, which Entry::content names.
std::string graded_text(std::string_view text);

/// Returns a name from an untrusted archive in a safe form for messages: UTF-8, without control characters,
/// shortened.
std::string shown_name(std::string_view name);

/// Replaces the capital letters of ASCII by small letters.
std::string in_small_letters(std::string text);

}  // namespace classroom

// Text as students' machines write it, made plain: UTF-8, lines that end with "\n", no byte order mark.
#pragma once

#include <string>
#include <string_view>

namespace classroom {

/// The text itself where it is UTF-8; otherwise it is taken for Latin-1, whose characters are turned into UTF-8.
std::string to_utf8(std::string_view text);

/// What is graded of a file that was handed in: UTF-8 without a byte order mark, and every line ends with "\n". Lines keep their
/// numbers. Two files that differ in nothing else are one text: Entry::content names it.
std::string graded_text(std::string_view text);

/// A name out of a stranger's archive, as it may stand in a sentence: UTF-8, no control characters, not endless.
std::string shown_name(std::string_view name);

/// Small letters for capital ones of ASCII.
std::string in_small_letters(std::string text);

}  // namespace classroom

// The units of what is measured, and the letters around them.
#pragma once

#include <cstddef>
#include <string>

namespace course {

bool is_digit(char c);
/// A letter, a digit or _.
bool is_word(char c);

/// The unit that begins at this place of the text, and where it ends. Empty without one.
std::string unit_at(const std::string& text, std::size_t at, std::size_t limit, std::size_t* end);

/// "3 times as fast" is measured, "called 3 times" is not. With decimals it always is. `at`: behind the number.
bool is_times(const std::string& text, std::size_t at, std::size_t limit, const std::string& number);

}  // namespace course

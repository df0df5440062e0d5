// Computes the difference of two texts as a list of lines.
#pragma once

#include "text.hpp"

namespace course {

/// Returns both texts as one list of lines that begin with ' ', '-' or '+', with as few changes as possible.
Lines difference(const Lines& a, const Lines& b);
/// Returns only the lines with '-' or '+'.
Lines changed_lines(const Lines& a, const Lines& b);

}  // namespace course

// Two texts as one list of lines.
#pragma once

#include "text.hpp"

namespace course {

/// Both texts as one list of lines that begin with ' ', '-' or '+', with as few changes as possible.
Lines difference(const Lines& a, const Lines& b);
/// Only those with '-' or '+'.
Lines changed_lines(const Lines& a, const Lines& b);

}  // namespace course

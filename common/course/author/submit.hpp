// A submission as an entry of tests/TOPIC/NAME.submissions tells it.
#pragma once

#include "submissions.hpp"

namespace course {

/// What makes the submission of the solution: whole regions where it differs inside of one, otherwise the least text that the solution
/// has only once. Throws Error where that is not possible.
std::vector<Entry::Change> changes_between(const Lines& solution, const Lines& submission);

}  // namespace course

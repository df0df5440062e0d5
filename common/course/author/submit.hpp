// Expresses a submission as an entry of tests/TOPIC/NAME.submissions.
#pragma once

#include "submissions.hpp"

namespace course {

/// Returns the changes that turn the solution into the submission: whole regions if it differs inside one, otherwise the shortest text that
/// occurs only once in the solution. Throws Error if that is impossible.
std::vector<Entry::Change> changes_between(const Lines& solution, const Lines& submission);

}  // namespace course

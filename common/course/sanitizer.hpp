// Turns compute-sanitizer's reports into findings, so that a student reads the same sentences as from the executor.
#pragma once

#include <facts/finding.hpp>
#include <vector>

#include "text.hpp"

namespace course {

/// Returns a finding for each kind of mistake and each place, in the order of the reports. `source`: the file whose lines are quoted.
std::vector<kit::facts::Finding> findings_of_sanitizer(const std::string& output, const fs::path& source);

/// Returns the sentences of findings, each in one line, then the pages about their kinds.
Lines told_of_sanitizer(const std::vector<kit::facts::Finding>& findings);

}  // namespace course

// The rule about wrong submissions.
#pragma once

#include <string>
#include <vector>

#include "course.hpp"

namespace course {

/// One sentence per complaint: each exercise has at least three patches, each with its header, each fits its solution, and
/// nothing else lies in their folders.
std::vector<std::string> check_wrong(const Course& course);

}  // namespace course

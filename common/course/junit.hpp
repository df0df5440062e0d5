// Writes verdicts as a JUnit file with names, messages and the whole output. It distinguishes open, wrong and broken.
#pragma once

#include <string>
#include <vector>

#include "course.hpp"
#include "verdict.hpp"

namespace course {

/// Returns one test suite per topic, and one test case per test. The type of a failure is "open", "wrong" or "other_method". A submission that does
/// not compile is an error of type "broken".
std::string junit_of(const Course& course, const std::vector<Verdict>& verdicts);

}  // namespace course

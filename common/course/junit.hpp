// Writes verdicts as a JUnit file, with names, messages and the whole output. Open, wrong and broken
// exercises have different types.
#pragma once

#include <string>
#include <vector>

#include "course.hpp"
#include "verdict.hpp"

namespace course {

/// Returns one test suite for each topic, with one test case for each test. The type of a failure is "open",
/// "wrong" or "other_method". A submission that does not compile is an error of type "broken".
std::string junit_of(const Course& course, const std::vector<Verdict>& verdicts);

}  // namespace course

// Verdicts as a JUnit file, for tools that read such: names, messages, the whole output; open, wrong and broken told apart.
#pragma once

#include <string>
#include <vector>

#include "course.hpp"
#include "verdict.hpp"

namespace course {

/// One test suite per topic, one test case per test. A failure's type is "open" or "wrong"; one that does not compile is an
/// error of type "broken".
std::string junit_of(const Course& course, const std::vector<Verdict>& verdicts);

}  // namespace course

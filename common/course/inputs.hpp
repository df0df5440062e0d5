// One number for everything that a test's verdict depends on. While it stays the same, a test that has passed need not run again.
#pragma once

#include "judge.hpp"

namespace course {

/// Returns the number, in hexadecimal digits, for a run in which the judge sets these environment variables. The judge knows the inputs
/// of exercises and of the executor's own tests. For every other test the result is empty, so the test always runs: on a GPU the
/// driver and the device are inputs, and tests of the kit start programs that are installed on the machine.
std::string inputs_of(const Course& course, const Test& test,
                      const std::map<std::string, std::string>& environment);

}  // namespace course

// Everything that a test's verdict depends on, as one number. While it stays the same, a test that has passed need not run again.
#pragma once

#include "judge.hpp"

namespace course {

/// The number, in hexadecimal digits, for a run in which the judge sets these variables of the environment. Empty if the judge cannot
/// know all inputs, so that the test must always run: on a GPU the driver and the device are inputs, and tests of the kit start
/// whatever the machine has installed. It knows the inputs of exercises and of the executor's own tests.
std::string inputs_of(const Course& course, const Test& test,
                      const std::map<std::string, std::string>& environment);

}  // namespace course

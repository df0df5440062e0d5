// What the header of a topic promises to students, beside its declarations.
#pragma once

#include <set>

#include "course.hpp"

namespace course {

/// What the tests of an exercise may demand beside the values: the item "EXERCISE: launches, barriers" of the contract's list
///
///     /// What is counted, besides the values:
///     ///   - tree: barriers, launches
///
/// Empty if there is no such item.
std::set<std::string> counted_in_contract(const Course& course, const Exercise& exercise);

}  // namespace course

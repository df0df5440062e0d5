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

/// How the demands of a test differ from that item. The judge asks about a run, kit_author about the source of the test.
Lines complaints_about_counted(const Course& course, const Exercise& exercise,
                               const std::set<std::string>& demands);

}  // namespace course

// Reads the promises that the header of a topic makes in addition to its declarations.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "course.hpp"

namespace course {

/// Returns what the tests of each exercise may demand in addition to correct values: the items of the contract's list
///
///     /// What is counted, besides the values:
///     ///   - tree: barriers, launches
std::map<std::string, std::set<std::string>> counted_by_contract(const Course& course,
                                                                 const std::string& topic);

/// Returns the exercises whose results the host may compute, from the contract's line
///
///     /// What the host may compute: calculator, report. In all other exercises, ...
///
/// The line says "nothing" if there is no such exercise. Without the line, there is no value.
std::optional<std::set<std::string>> computed_by_host(const Course& course, const std::string& topic);

/// Returns the differences between the demands of a test and its item in that list. The judge passes the demands of a run, and kit_author
/// those in the test's source.
Lines complaints_about_counted(const Course& course, const Exercise& exercise,
                               const std::set<std::string>& demands);

}  // namespace course

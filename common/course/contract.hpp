// Reads from the header of a topic (its contract) what tests may demand and what the host may compute.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "course.hpp"

namespace course {

/// Returns, for each exercise, the demands that its test may make in addition to correct values. The demands
/// are the items of this list:
///
///   /// What is counted, besides the values:
///   ///   - tree: barriers, launches
std::map<std::string, std::set<std::string>> counted_by_contract(const Course& course,
                                                                 const std::string& topic);

/// Returns the exercises whose results the host may compute. A contract names these exercises in the line
///
///   /// What the host may compute: calculator, report. In all other exercises, ...
///
/// The line says "nothing" if there is no such exercise. If the line is missing, returns nothing.
std::optional<std::set<std::string>> computed_by_host(const Course& course, const std::string& topic);

/// Returns the differences between the demands of a test and its item in the contract's list. The judge
/// passes the demands of a run, and kit_author passes those in the source of the test.
Lines complaints_about_counted(const Course& course, const Exercise& exercise,
                               const std::set<std::string>& demands);

}  // namespace course

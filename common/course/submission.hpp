// The file that a test judges: the facts in its first lines, its exercise, its starter, and the path of its verdict.
#pragma once

#include <string>
#include <vector>

#include "course.hpp"

namespace course {

/// Returns all values of a key, from the "KEY: value" lines in the comment at the beginning of a submission or a test.
std::vector<std::string> header_values(const fs::path& file, const std::string& key);

/// Returns the path where the verdict of a test is kept.
fs::path verdict_file(const Course& course, const std::string& test);

/// Returns the exercise 07_reduction/tree for "exercise.07_reduction.tree", and null for a test that does not belong to an exercise.
const Exercise* exercise_of(const Course& course, const std::string& test);

/// Returns whether the submitted file equals the starter byte for byte, so that no student has edited it.
bool is_untouched(const Course& course, const Exercise& exercise);

/// Returns the starter. It is generated from the solution; a student copy has no solution, but keeps the starter. Returns an empty text
/// if there is neither.
std::string pristine_starter(const Course& course, const Exercise& exercise);

}  // namespace course

// The file that a test judges: facts in its first lines, its exercise, its starter, and where its verdict is
// stored.
#pragma once

#include <string>
#include <vector>

#include "course.hpp"

namespace course {

/// Returns all values of a key in the comment at the start of a submission or test, which has lines of the
/// form "KEY: value".
std::vector<std::string> header_values(const fs::path& file, const std::string& key);

/// Returns the path of the file with the verdict of a test.
fs::path verdict_file(const Course& course, const std::string& test);

/// Returns the exercise of a test, such as 07_reduction/tree for "exercise.07_reduction.tree"; null if it
/// does not belong to an exercise.
const Exercise* exercise_of(const Course& course, const std::string& test);

/// Returns whether the submitted file equals the starter byte for byte, so that no student has edited it.
bool is_untouched(const Course& course, const Exercise& exercise);

/// Returns the text of the starter. The starter is generated from the solution; a student copy has no
/// solution and keeps the starter. Empty if there is neither a solution nor a starter.
std::string pristine_starter(const Course& course, const Exercise& exercise);

}  // namespace course

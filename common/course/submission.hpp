// The file that a test judges: what its first lines say, whose exercise it is, where its verdict is kept.
#pragma once

#include <string>
#include <vector>

#include "course.hpp"

namespace course {

/// "KEY: value" lines among the comment lines that a submission or a test begins with: all values of a key.
std::vector<std::string> header_values(const fs::path& file, const std::string& key);

/// Where the verdict of a test is kept.
fs::path verdict_file(const Course& course, const std::string& test);

/// "07_reduction" and "tree" of "exercise.07_reduction.tree"; null for tests of anything else.
const Exercise* exercise_of(const Course& course, const std::string& test);

/// The submitted file of an exercise is the starter, byte for byte: nobody has touched it.
bool is_untouched(const Course& course, const Exercise& exercise);

}  // namespace course

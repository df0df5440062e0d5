// The starter of an exercise: the text that a student begins with.
#pragma once

#include "course.hpp"

namespace course {

/// Returns the starter. It is generated from the solution; a student copy has no solution, but keeps the starter. Returns an empty text
/// if there is neither.
std::string pristine_starter(const Course& course, const Exercise& exercise);

}  // namespace course

// A new exercise of a topic that exists: see new_exercise.cpp for what its files hold at first.
#pragma once

#include "course.hpp"

namespace course {

/// Makes the files of the exercise, adds it to the lists of its topic, and returns the paths of all that it wrote. Throws Error,
/// and has then written nothing, where something of that name exists.
std::vector<fs::path> new_exercise(const Course& course, const std::string& topic, const std::string& name);

}  // namespace course

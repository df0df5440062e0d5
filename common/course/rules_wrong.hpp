// Rules about wrong submissions: each exercise has at least three, each says what is wrong and which diagnosis it must get, and
// each belongs to an exercise.
#pragma once

#include "course.hpp"

namespace course {

std::vector<std::string> check_wrong(const Course& course);

}  // namespace course

// The commands of kit_course, one function each. Each returns an exit status: 0 for success, 1 for a failure
// that was printed on standard error, 2 for invalid arguments.
#pragma once

#include "course.hpp"

namespace course {

using Arguments = std::vector<std::string>;

int command_starter(const Course& course, const Arguments& arguments);
int command_judge(const Course& course, const Arguments& arguments);
int command_begin(const Course& course, const Arguments& arguments);
int command_scoreboard(const Course& course, const Arguments& arguments);
int command_watch(const Course& course, const Arguments& arguments);
int command_hunt(const Course& course, const Arguments& arguments);
int command_results(const Course& course, const Arguments& arguments);

}  // namespace course

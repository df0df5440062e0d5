// The subcommands of kit_course, one function each: exit status 0 done, 1 not (and standard error says why), 2 wrong usage.
#pragma once

#include "course.hpp"

namespace course {

using Arguments = std::vector<std::string>;

int command_starter(const Course& course, const Arguments& arguments);
int command_starters(const Course& course, const Arguments& arguments);
int command_wrong(const Course& course, const Arguments& arguments);
int command_together(const Course& course, const Arguments& arguments);
int command_joined(const Course& course, const Arguments& arguments);
int command_patches(const Course& course, const Arguments& arguments);
int command_check(const Course& course, const Arguments& arguments);
int command_judge(const Course& course, const Arguments& arguments);
int command_begin(const Course& course, const Arguments& arguments);
int command_results(const Course& course, const Arguments& arguments);
int command_scoreboard(const Course& course, const Arguments& arguments);
int command_watch(const Course& course, const Arguments& arguments);
int command_code(const Course& course, const Arguments& arguments);
int command_new_exercise(const Course& course, const Arguments& arguments);
int command_records(const Course& course, const Arguments& arguments);
int command_compare(const Course& course, const Arguments& arguments);
int command_numbers(const Course& course, const Arguments& arguments);
int command_deck(const Course& course, const Arguments& arguments);
int command_student(const Course& course, const Arguments& arguments);
int command_json(const Course& course, const Arguments& arguments);
std::string model_as_json(const Course& course);  ///< what command_json prints
/// Makes the files of a new exercise, adds it to the lists of its topic, and returns the paths of all that it wrote. Throws
/// Error, and has then written nothing, where something of that name exists.
std::vector<fs::path> new_exercise(const Course& course, const std::string& topic, const std::string& name);

}  // namespace course

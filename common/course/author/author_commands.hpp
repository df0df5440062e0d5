// The commands of kit_author, one function each. Their exit status is that of commands.hpp.
#pragma once

#include "commands.hpp"

namespace course {

int command_starters(const Course& course, const Arguments& arguments);
int command_submit(const Course& course, const Arguments& arguments);
int command_expand(const Course& course, const Arguments& arguments);
int command_told(const Course& course, const Arguments& arguments);
int command_accept(const Course& course, const Arguments& arguments);
int command_together(const Course& course, const Arguments& arguments);
int command_joined(const Course& course, const Arguments& arguments);
int command_choose(const Course& course, const Arguments& arguments);
int command_check(const Course& course, const Arguments& arguments);
int command_code(const Course& course, const Arguments& arguments);
int command_lists(const Course& course, const Arguments& arguments);
int command_new_exercise(const Course& course, const Arguments& arguments);
int command_compare(const Course& course, const Arguments& arguments);
int command_numbers(const Course& course, const Arguments& arguments);
int command_deck(const Course& course, const Arguments& arguments);
int command_student(const Course& course, const Arguments& arguments);
int command_json(const Course& course, const Arguments& arguments);
std::string model_as_json(const Course& course);  ///< the text that command_json prints
/// Creates the files of a new exercise, adds it to the lists of its topic, and returns the paths of all files that it wrote. If something
/// of that name exists, it throws Error and writes nothing.
std::vector<fs::path> new_exercise(const Course& course, const std::string& topic, const std::string& name);

}  // namespace course

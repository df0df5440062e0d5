// The commands of kit_author, one function each. The exit status of a command is explained in commands.hpp.
#pragma once

#include "commands.hpp"
#include "quotes.hpp"
#include "submissions.hpp"

namespace course {

int command_written(const Course& course, const Arguments& arguments);
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
std::string model_as_json(const Course& course);  ///< the JSON that command_json prints
/// Creates the files of a new exercise, adds it to the lists of its topic, and returns the paths of all files
/// that it wrote. With `like`, the files begin as copies of those of this exercise. Throws Error, and writes
/// nothing, if one of the files exists.
std::vector<fs::path> new_exercise(const Course& course, const std::string& topic, const std::string& name,
                                   const Exercise* like = nullptr);

// Submissions as entries of tests/TOPIC/NAME.submissions.

/// Returns the changes that turn the solution into the submission. A change inside a region replaces the
/// whole region; otherwise, it replaces the shortest text that occurs only once in the solution. Throws Error
/// if that is impossible.
std::vector<Entry::Change> changes_between(const Lines& solution, const Lines& submission);

// Lists of topics and exercises.
//
// Tables of topics and exercises are generated from the manifest. A generated table is between two comments
// of a page:
//
//     <!-- topics -->        README.md: all topics                <!-- /topics -->
//     <!-- exercises -->     tasks, decks: all exercises          <!-- /exercises -->
//     <!-- exercises: tree fast -->     a deck with several such slides: these exercises

/// Returns the page with correct tables. Adds a complaint if an exercise of the page's topic is in no table.
Revision list(const Course& course, const fs::path& page);

/// Returns the pages that can have such tables: README.md, the tasks and the decks.
std::vector<fs::path> listing_pages(const Course& course);

}  // namespace course

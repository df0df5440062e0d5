// Finds the task that each line of a student's file belongs to, so that the place of a mistake leads to a task.
#pragma once

#include <map>

#include "course.hpp"
#include "markdown.hpp"

namespace course {

/// Returns the task of each line that belongs to one; lines are numbered starting at 1. In a solution, marks give the task (source.hpp).
/// A student's file has no marks, so it is compared with the starter: lines in place of KIT_TODO(k), or after a comment TODO(k),
/// belong to task k. The other lines of a function belong to its task if it has only one and calls no function of a different task.
std::map<int, int> tasks_of_lines(const Lines& submission, const Lines& starter);

/// Returns the same as "FIRST LAST TASK" for each run of lines.
Lines regions_of(const std::map<int, int>& tasks);

/// Returns the section about the exercise on its topic's page of tasks; empty if there is none.
Section section_of(const Course& course, const Exercise& exercise);

/// Returns the titles of the tasks for the grader (common/grader/report.hpp), which does not know the course: lines such as "2 the tail".
std::string titles_of_tasks(const Course& course, const Exercise& exercise);
/// Returns the regions of the graded file: lines such as "tree.cu 18 24 2", or "tree.cu 30 31 2 given" for lines of a task's function that
/// the starter has.
std::string places_of_tasks(const Course& course, const Exercise& exercise, const fs::path& submission);

}  // namespace course

// Finds the task to which each line of a student's file belongs, so that the line of a mistake leads to a
// task.
#pragma once

#include <map>

#include "course.hpp"
#include "markdown.hpp"

namespace course {

/// Returns the task of each line that belongs to a task; line numbers start at 1. A solution has marks for
/// tasks (source.hpp). A student's file has no marks, so it is compared with the starter: lines that replace
/// KIT_TODO(k), or follow a comment TODO(k), belong to task k. The other lines of a function also belong to
/// its task, if it has only one and calls no function of another task.
std::map<int, int> tasks_of_lines(const Lines& submission, const Lines& starter);

/// Returns the tasks of lines as texts "FIRST LAST TASK", one for each sequence of lines with the same task.
Lines regions_of(const std::map<int, int>& tasks);

/// Returns the section about the exercise in its topic's page of tasks; empty if there is none.
Section section_of(const Course& course, const Exercise& exercise);

/// Returns the titles of the tasks as lines such as "2 the tail", for the grader (common/grader/report.hpp),
/// which does not read the course.
std::string titles_of_tasks(const Course& course, const Exercise& exercise);
/// Returns the regions of the graded file as lines such as "tree.cu 18 24 2", or "tree.cu 30 31 2 given" for
/// lines that the starter has, in a function of this task.
std::string places_of_tasks(const Course& course, const Exercise& exercise, const fs::path& submission);

}  // namespace course

// Which lines of a student's file belong to which task: the place of a mistake tells the task.
#pragma once

#include <map>

#include "course.hpp"
#include "markdown.hpp"

namespace course {

/// The task of each line, from 1, that belongs to one. A solution's marks say it (source.hpp); a student's file has none, so it is
/// compared with the starter: what stands where KIT_TODO(k) stood is task k, and so is what follows a comment TODO(k). The other
/// lines of a function belong to its task if it has only one.
std::map<int, int> tasks_of_lines(const Lines& submission, const Lines& starter);

/// The same as "FIRST LAST TASK" for each run of lines.
Lines regions_of(const std::map<int, int>& tasks);

/// What the page of its topic says about an exercise; empty where it says nothing.
Section section_of(const Course& course, const Exercise& exercise);

/// For the grader, which knows no course (common/grader/report.hpp). The titles: "2 the tail", a line each.
std::string titles_of_tasks(const Course& course, const Exercise& exercise);
/// The regions of the file that is graded: "tree.cu 18 24 2", a line each.
std::string places_of_tasks(const Course& course, const Exercise& exercise, const fs::path& submission);

}  // namespace course

// The feedback for one student: points, the verdict of each exercise as the student's own ctest would show it, what to read, and what
// to do next. It contains nothing about other students, the seed or the grading machine: files are named exercises/TOPIC/NAME.cu.
#pragma once

#include "points.hpp"

namespace classroom {

/// Returns the verdict's text for the student.
std::string output_for(const Class& graded, const Student& student, const Exercise& exercise);
/// Returns any sentence about an exercise in the same form.
std::string told_to(const Class& graded, const Student& student, const Exercise& exercise,
                    const std::string& text);
/// Returns the remarks that concern only this student.
Lines remarks_for(const Class& graded, const Student& student);

/// Returns the next steps, one per line: the first exercise that is not done, the file, the task, the page, the command. One line
/// if all are done.
Lines next_for(const Class& graded, const Student& student);

std::string feedback_markdown(const Class& graded, const Student& student, const Points& points);
std::string feedback_html(const Class& graded, const Student& student, const Points& points);

}  // namespace classroom

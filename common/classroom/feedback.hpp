// What one student is told: points, the verdict of each exercise as if they had graded it themselves, what to read and what to
// do next. Nothing of others, of the seed, or of the machine that has graded: files are exercises/TOPIC/NAME.cu.
#pragma once

#include "points.hpp"

namespace classroom {

/// The verdict's text for the student's eyes.
std::string output_for(const Class& graded, const Student& student, const Exercise& exercise);
/// The same for any sentence about an exercise.
std::string told_to(const Class& graded, const Student& student, const Exercise& exercise,
                    const std::string& text);
/// The remarks that concern nobody else.
Lines remarks_for(const Class& graded, const Student& student);

/// What to do next, a line each: the first exercise that is not right, what to edit, which task, which page, the command. One line
/// where all is right.
Lines next_for(const Class& graded, const Student& student);

std::string feedback_markdown(const Class& graded, const Student& student, const Points& points);
std::string feedback_html(const Class& graded, const Student& student, const Points& points);

}  // namespace classroom

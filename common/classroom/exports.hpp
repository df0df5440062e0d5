// The results as other systems read them: JUnit, Gradescope, Moodle.
#pragma once

#include "points.hpp"

namespace classroom {

/// A test suite per topic; a case is named TEST.STUDENT. What is missing is a failure of type "open", what is not graded is skipped.
std::string junit_of(const Class& graded);

/// results.json as https://gradescope-autograders.readthedocs.io/en/latest/specs/ has it: a test per exercise, what the student
/// may see, and nothing that is printed while grading.
std::string gradescope_of(const Class& graded, const Student& student, const Points& points);

/// For Moodle's "Upload grading worksheet" (assignment) and "Import CSV" (gradebook): the columns of the file of names as they
/// are, so that Moodle finds its people again, then Grade and Feedback comments in place of those that the file may have. Without a
/// file of names the columns are "ID number" and "Full name". Feedback is HTML, as Moodle takes it for that.
std::string moodle_of(const Class& graded, const Points& points);

}  // namespace classroom

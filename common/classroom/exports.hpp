// Exports the results for other systems: JUnit, Gradescope, Moodle.
#pragma once

#include "points.hpp"

namespace classroom {

/// Returns a test suite per topic, with cases named TEST.STUDENT. A missing file is a failure of type "open", and an exercise that is not
/// graded is skipped.
std::string junit_of(const Class& graded);

/// Returns results.json as specified in https://gradescope-autograders.readthedocs.io/en/latest/specs/: a test per exercise, with the
/// text that the student may see, and without the output of grading.
std::string gradescope_of(const Class& graded, const Student& student, const Points& points);

/// Returns a file for Moodle's "Upload grading worksheet" (assignment) and "Import CSV" (gradebook). It has the unchanged columns of the
/// file of names, so that Moodle recognizes the students, then Grade and Feedback comments, which replace such columns of the file.
/// Without a file of names, the columns are "ID number" and "Full name". Feedback is HTML, because Moodle expects HTML.
std::string moodle_of(const Class& graded, const Points& points);

}  // namespace classroom

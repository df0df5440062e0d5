// Writes all results of a graded class.
#pragma once

#include "points.hpp"

namespace classroom {

/// Writes class.csv, class.html, junit.xml, moodle.csv, feedback/ID.md, feedback/ID.html and
/// gradescope/ID/results.json into the folder `out`; ID is as_file_name of the student's id. Does not touch unchanged files.
void write_reports(const Class& graded, const Points& points, const fs::path& out);

// ---- the class as a table: CSV for a spreadsheet, and an HTML page that also shows which exercises stop students ----

/// Returns one line per student: id, name, points, then the outcome (Entry::outcome) and the points of each exercise, then the
/// remarks. RFC 4180, UTF-8.
std::string csv_of(const Class& graded, const Points& points);

/// Returns one page that needs no other file.
std::string html_of(const Class& graded, const Points& points);

// ---- the results for other systems: JUnit, Gradescope, Moodle ----

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

// ---- the feedback for one student: points, the verdict of each exercise as the student's own ctest would show it, what to read, and what
// to do next. It contains nothing about other students, the seed or the grading machine: files are named exercises/TOPIC/NAME.cu. ----

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

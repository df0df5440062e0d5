// Writes all results of a graded class.
#pragma once

#include "points.hpp"

namespace classroom {

/// Writes class.csv, class.html, junit.xml, moodle.csv, feedback/ID.md, feedback/ID.html and
/// gradescope/ID/results.json to the folder `out`. ID is the as_file_name() of the student's id. Files that
/// do not change are not written.
void write_reports(const Class& graded, const Points& points, const fs::path& out);

// The class as a table: CSV for a spreadsheet, and an HTML page that also shows which exercises stop
// students.

/// Returns one line for each student: id, name, points, then the outcome (Entry::outcome) and the points of
/// each exercise, then the remarks. The format is RFC 4180 in UTF-8.
std::string csv_of(const Class& graded, const Points& points);

/// Returns an HTML page that needs no other files.
std::string html_of(const Class& graded, const Points& points);

// Results for other systems: JUnit, Gradescope, Moodle.

/// Returns one test suite for each topic, with cases named TEST.STUDENT. A missing file is a failure of type
/// "open", and an exercise that is not graded is skipped.
std::string junit_of(const Class& graded);

/// Returns results.json for Gradescope, as specified in
/// https://gradescope-autograders.readthedocs.io/en/latest/specs/. The file has a test for each exercise,
/// with the text that the student may see, and without the output of grading.
std::string gradescope_of(const Class& graded, const Student& student, const Points& points);

/// Returns a file for Moodle's "Upload grading worksheet" (assignment) and "Import CSV" (gradebook). The file
/// has the columns of the file of names, so that Moodle recognizes the students, and then Grade and Feedback
/// comments, which replace columns with the same names. Without a file of names, the columns are "ID number"
/// and "Full name". The feedback is HTML, because Moodle expects HTML.
std::string moodle_of(const Class& graded, const Points& points);

// Feedback for one student: points, the verdict of each exercise as the student's own ctest would show it,
// what to read, and what to do next. The feedback says nothing about other students, the seed or the grading
// machine, and files are named exercises/TOPIC/NAME.cu.

/// Returns the output of a verdict for the student.
std::string output_for(const Class& graded, const Student& student, const Exercise& exercise);
/// Returns a sentence about an exercise for the student, with the same names of files.
std::string told_to(const Class& graded, const Student& student, const Exercise& exercise,
                    const std::string& text);
/// Returns the remarks that are only about this student.
Lines remarks_for(const Class& graded, const Student& student);

/// One thing to do next.
struct Step {
    std::string words;    ///< a sentence, with paths between backquotes
    std::string command;  ///< what to type in a shell; can be empty
};

/// Returns the next steps: the first exercise that is not done, with its file, task, page and command. If all
/// exercises are done, returns one step that says so.
std::vector<Step> next_for(const Class& graded, const Student& student);

std::string feedback_markdown(const Class& graded, const Student& student, const Points& points);
std::string feedback_html(const Class& graded, const Student& student, const Points& points);

}  // namespace classroom

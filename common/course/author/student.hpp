// The copy of the course for students: see student.cpp. Marks in pages show which parts are only for teachers, and which only for students:
//
//     <!-- not for students -->       on a separate line: removes the text between the two
//     <!-- /not for students -->
//     | a row <!-- not for students --> |       in a line: removes this line
//     <!-- for students: words -->              becomes the words
#pragma once

#include "course.hpp"

namespace course {

/// Returns a page without the parts that are not for students, without folded code, and with links only to files in `there`.
std::string page_for_students(const std::string& text, const fs::path& path, const std::set<fs::path>& there);

/// Returns the CMakePresets.json of the copy, which has only the presets of exercises.
std::string presets_for_students(const std::string& text);

/// Makes or renews the copy, and returns its files. Throws Error if the folder contains other files, or a student's work.
Lines make_student_copy(const Course& course, const fs::path& folder);

}  // namespace course

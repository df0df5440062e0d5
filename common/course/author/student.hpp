// The copy of the course for students (student.cpp). Marks in pages show which parts are only for teachers
// and which are only for students:
//
//   <!-- not for students -->       on a separate line: removes the text between the two
//   <!-- /not for students -->
//   | a row <!-- not for students --> |       in a line: removes this line
//   <!-- for students: words -->              is replaced by the words
#pragma once

#include <map>

#include "course.hpp"

namespace course {

/// Returns a page without the parts that are not for students, and without folded code. The links of the
/// returned page lead only to files in `there`.
std::string page_for_students(const std::string& text, const fs::path& path, const std::set<fs::path>& there);

/// Returns the copy's CMakePresets.json, which has only the presets for exercises.
std::string presets_for_students(const std::string& text);

/// Returns the files of the copy with their texts.
std::map<fs::path, std::string> texts_for_students(const Course& course);

/// Makes or updates the copy, and returns its files. Throws Error if the folder contains other files, or a
/// student's work.
Lines make_student_copy(const Course& course, const fs::path& folder);

}  // namespace course

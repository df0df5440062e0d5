// The copy of the course for students: see student.cpp. Pages say what is not for students, and what only is:
//
//     <!-- not for students -->       on a separate line: the text between the two
//     <!-- /not for students -->
//     | a row <!-- not for students --> |       in a line: this line
//     <!-- for students: words -->              what stands there instead
#pragma once

#include "course.hpp"

namespace course {

/// A page without what is not for students, without what is folded away, and with links only to what is `there`.
std::string page_for_students(const std::string& text, const fs::path& path, const std::set<fs::path>& there);

/// What CMakePresets.json is in the copy: the presets of exercises.
std::string presets_for_students(const std::string& text);

/// Makes the copy, or renews it, and returns its files. Throws Error if the folder has other files, or a student's
/// work.
Lines make_student_copy(const Course& course, const fs::path& folder);

}  // namespace course

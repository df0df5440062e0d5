// A class: its students, the files that they have handed in, and the verdicts. Intake adds students and
// files, and the run adds verdicts. All output (table, feedback, points, files for other systems) is computed
// only from this.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "course.hpp"
#include "verdict.hpp"

namespace classroom {

namespace fs = std::filesystem;
using course::Course;
using course::Exercise;
using course::Lines;
using course::Verdict;

/// One exercise of one student.
struct Entry {
    fs::path file;  ///< path of the student's file in the intake; empty if there is none
    std::string
        content;  ///< name of the file's graded text: equal texts have equal names; empty if nothing was
                  ///< handed in
    bool is_starter = false;  ///< whether the graded text equals that of the starter
    /// One of: pass, other_method (right results, but not as the exercise asks), wrong, broken (does not
    /// compile), open (a gap is left, or untouched), missing (not handed in). Empty if not graded yet.
    std::string outcome;
    std::string sentence;  ///< the result in one line
    std::string hunt;      ///< name of the bug hunt that is graded; empty for the exercise itself
    std::string answer;    ///< for a bug hunt: what is wrong with the answer; empty if it is right
    Verdict verdict;       ///< verdict of the graded run, with `output` as the student sees it; empty if
                           ///< nothing ran
};

struct Student {
    std::string id;    ///< name of the folder or archive, without its extension
    std::string name;  ///< name in the file of names; if there is none, the id
    std::map<std::string, std::string>
        columns;  ///< columns of the file of names, some of which exports repeat (Moodle's "Email address")
    double days_late = 0;                  ///< computed from the newest file and --deadline, or read from the
                                           ///< file of names
    Lines remarks;                         ///< one sentence for each problem, such as a broken archive or an
                                           ///< unknown name
    std::map<std::string, Entry> entries;  ///< one entry for each graded exercise, by Exercise::id()
};

struct Class {
    const Course* course = nullptr;
    std::vector<const Exercise*> exercises;  ///< graded exercises, in the order of the course
    std::vector<Student> students;           ///< sorted by id
    Lines remarks;                           ///< remarks about files that belong to no student
};

/// Returns the SHA-256 of the text as forty hexadecimal digits. A student can get the verdict of a different
/// text only by submitting that text.
std::string name_of_content(const std::string& text);

}  // namespace classroom

// A class: its students, the files they handed in, and the verdicts. Intake adds students and files, and the run adds verdicts. All
// output (table, feedback, points, files for other systems) is computed from this alone.
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
    fs::path file;  ///< path of the student's file in the intake; empty: none
    std::string
        content;  ///< name of that file's graded_text(): equal texts have equal names; empty: nothing was handed in
    bool is_starter = false;  ///< whether that text equals the starter's
    /// pass, other_method (right results, but not as the exercise asks), wrong, broken (does not compile), open (a gap is left, or untouched), missing (not handed in); empty: not graded yet.
    std::string outcome;
    std::string sentence;  ///< the result in one line
    Verdict verdict;       ///< the graded run's, with `output` as the student sees it; empty if nothing ran
};

struct Student {
    std::string id;    ///< the name of the folder or archive, without its extension
    std::string name;  ///< name from the file of names, otherwise the id
    std::map<std::string, std::string>
        columns;  ///< columns of the file of names, which some exports repeat (Moodle's "Email address")
    double days_late = 0;                  ///< from the newest file and --deadline, or from the file of names
    Lines remarks;                         ///< one sentence per problem: a broken archive, an unknown name
    std::map<std::string, Entry> entries;  ///< one for every graded exercise, by Exercise::id()
};

struct Class {
    const Course* course = nullptr;
    std::vector<const Exercise*> exercises;  ///< the graded ones, in the order of the course
    std::vector<Student> students;           ///< sorted by id
    Lines remarks;                           ///< about files that belong to no student
};

/// Returns forty hexadecimal digits of the text's SHA-256, so a student can get the verdict of a different text only by handing it in.
std::string name_of_content(const std::string& text);

}  // namespace classroom

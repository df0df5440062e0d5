// A class: its students, the files they handed in, and what became of each. Intake fills in who handed in what, the run adds
// the verdicts, and everything that comes out (table, feedback, points, files for other systems) is made of this and nothing else.
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
    fs::path file;  ///< what the student handed in, as it lies in the intake; empty: nothing
    std::string
        content;  ///< names graded_text() of that file: equal texts have equal names; empty: nothing was handed in
    bool is_starter = false;  ///< that text is the starter's
    /// pass, wrong, broken (does not compile), open (a gap is left, or untouched), missing (not handed in); empty: not graded yet.
    std::string outcome;
    std::string sentence;  ///< what came of it, in one line
    Verdict verdict;  ///< of the graded run, `output` as the student would see it; empty where nothing ran
};

struct Student {
    std::string id;    ///< the name of the folder or archive, without its extension
    std::string name;  ///< as the file of names has it, otherwise the id
    std::map<std::string, std::string>
        columns;           ///< of the file of names, for those who want them back (Moodle's "Email address")
    double days_late = 0;  ///< from the newest file against --deadline, or as the file of names has it
    Lines
        remarks;  ///< one sentence for each thing that is not as it should be: a broken archive, a name nobody knows
    std::map<std::string, Entry> entries;  ///< by Exercise::id(); every exercise that is graded is there
};

struct Class {
    const Course* course = nullptr;
    std::vector<const Exercise*> exercises;  ///< that are graded, in the order of the story
    std::vector<Student> students;           ///< by id
    Lines remarks;                           ///< about files that belong to no student
};

/// Forty hexadecimal digits (of SHA-256): a student who wanted the verdict of somebody else's text would have to hand in that text.
std::string name_of_content(const std::string& text);

}  // namespace classroom

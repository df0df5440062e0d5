// Bug hunts: wrong submissions that a student has to debug. The keys "hunt" and "hunt.*" of an entry in
// tests/TOPIC/NAME.submissions make it a hunt, and say what the student is told. An example:
//
//   hunt: 1
//   hunt.level: 1
//   hunt.symptom: One or two sentences, as a colleague would report it.
//   hunt.kind: work
//   hunt.line: the text of the wrong line; several such lines mean that any of them is accepted
//   hunt.hint: where to look, with which tool
//   hunt.hint: which question to ask
//   hunt.hint: almost the answer
//
// A copy for students has no submissions. All its hunts are in one packed file, in which nothing can be read.
#pragma once

#include "course.hpp"
#include "submissions.hpp"
#include "verdict.hpp"

namespace course {

/// One hunt, with its program.
struct Hunt {
    const Exercise* exercise = nullptr;
    int number = 0;  ///< number that the entry states; the hunts of an exercise have the numbers 1, 2, 3 ...
    int level = 0;   ///< 1 to 3
    std::string symptom, kind;
    Lines lines;  ///< texts of the lines that are accepted as the answer
    Lines hints;
    std::string diagnosis;  ///< kind of the verdict that the program gets, such as "race"
    std::string what;       ///< the author's sentence about the mistake, shown after the hunt is solved
    std::string variant;    ///< definition with which the program is graded; usually empty
    std::string backends;   ///< "cpu" or "gpu" if only this backend can reject the program; otherwise empty
    Lines program;          ///< the wrong program, as the student gets it

    /// Returns a name that does not give the mistake away: "memory_access.coalesce.1".
    std::string name() const { return exercise->short_name() + "." + std::to_string(number); }
    /// Returns the numbers, counted from 1, of the lines of the program that are accepted as the answer.
    std::set<int> answers() const;
};

/// Returns a line of code without its comment and without white space at both ends.
std::string without_comment(const std::string& line);

/// A kind of mistake, and one sentence about it.
struct HuntKind {
    const char *name, *means;
};
const std::vector<HuntKind>& hunt_kinds();
/// Returns whether there is a kind with this name.
bool is_hunt_kind(const std::string& name);

/// The packed hunts of a copy for students.
inline const fs::path packed_hunts = "tests/hunts.packed";

/// Returns the keys of the entry that describe a hunt: "hunt" and "hunt.*". None: the entry is not a hunt.
Lines hunt_keys_of(const Entry& entry);

/// Returns the hunt of an entry. The program has no comments of the entry, which could explain the mistake.
/// Keys that are missing, or that are not numbers, leave empty texts, and numbers less than 1: the rule
/// check_hunts complains about them. Throws Error if the solution has no text that the entry replaces.
Hunt hunt_of(const Course& course, const Exercise& exercise, const Submissions& all, const Entry& entry);

/// Returns the hunts of all topics in a full checkout, in the order of the course.
std::vector<Hunt> hunts_of_checkout(const Course& course);
/// Returns all hunts of the topics that this build folder grades and of this backend, in the order of the
/// course.
std::vector<Hunt> all_hunts(const Course& course);

/// Returns the hunts as a text that people cannot read. This does not hide them from somebody who writes a
/// program to unpack them.
std::string packed(const std::vector<Hunt>& hunts);
/// Reads such a text. Throws Error if it is damaged.
std::vector<Hunt> unpacked(const Course& course, const std::string& text);

// What a student has done so far. It is kept with the student's files, so a new build folder loses nothing.

/// The student's answer to a hunt and how far the student is.
struct HuntProgress {
    int line = 0;      ///< line of the given file that the student has named; 0 if none
    std::string kind;  ///< kind that the student has named
    int tries = 0;     ///< number of answers so far
    int hints = 0;     ///< number of hints that were shown
    int verdicts = 0;  ///< number of verdicts that were shown
    bool solved = false;
    Lines others;  ///< lines of the file that are not known here, and are kept

    /// Returns whether line and kind are right.
    bool is_named(const Hunt& hunt) const { return hunt.kind == kind && hunt.answers().count(line) > 0; }
};

/// Reads the text of an answer file, which a student may have edited.
HuntProgress progress_from(const std::string& text);
std::string text_of(const HuntProgress& progress, const std::string& hunt);

fs::path hunts_folder(const Course& course);
/// Returns the file that the student repairs, and the file with the answer.
fs::path hunted_file(const Course& course, const std::string& hunt);
fs::path answer_file(const Course& course, const std::string& hunt);

HuntProgress read_progress(const Course& course, const Hunt& hunt);

/// The student's hunts in numbers.
struct HuntCounts {
    int all = 0, solved = 0;
    int offered = 0;  ///< not solved, in exercises that the student has solved
};
HuntCounts counts_of_hunts(const Course& course);
/// Returns how many hunts of this exercise are not solved; 0 if the hunts cannot be read.
int open_hunts_of(const Course& course, const Exercise& exercise);

/// Builds and runs the student's file of a hunt, which must exist. `all` are the hunts of this build folder, and
/// `again` is the command that the report names. The outcome is "broken" if the file does not compile. As in
/// judge.hpp, a program passes only with the token of this run.
Verdict judge_hunt(const Course& course, const std::vector<Hunt>& all, const Hunt& hunt,
                   const std::string& again);

}  // namespace course

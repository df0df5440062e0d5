// The lines that the scoreboard and `watch` both show: the verdicts of the exercises that were just graded, and the next step.
#pragma once

#include "standing.hpp"
#include "verdict.hpp"

namespace course {

/// The abilities of the terminal: colours, and block characters.
struct Look {
    bool colour = false, blocks = false;

    explicit Look(bool is_terminal);
    static Look plain();
    std::string paint(const char* code, const std::string& text) const;
    std::string repeated(const char* block, char plain, int count) const;
};

/// Returns the standings of all exercises that this build folder grades, in the order of the course.
std::vector<Standing> all_standings(const Course& course);

bool is_to_do(const Standing& one);
/// Returns the first exercise after this one that is not done; if there is none, the first of all. Null if all are done. An exercise that is
/// right, but not as it asks, comes after all others.
const Standing* next_to_do(const std::vector<Standing>& standings, const Exercise* behind);

/// A test of an exercise that has just run.
struct Graded {
    const Exercise* exercise;
    Verdict verdict;
};

/// Returns whether the exercise is not done; its results may be right.
bool is_wrong(const Verdict& verdict);
/// Returns the verdict in one line, after the output of the student's code.
Lines outcome_lines(const Verdict& verdict);
/// Returns the whole verdict. For an untouched exercise it is empty, because the next step says everything.
Lines verdict_lines(const Course& course, const Graded& one);
/// Returns the verdicts of several tests: one line for each, then the first failure in full.
Lines told_of(const Course& course, const std::vector<Graded>& graded);

/// Returns the state as part of a sentence: "TODO(2) is open", "is wrong".
std::string state_in_words(const Standing& one);
/// Returns "  Next: TOPIC/NAME, is open", then the file and the task. `just_told`: the verdict is directly above.
Lines next_lines(const Course& course, const Standing& next, bool just_told, const Look& look);
/// Returns a label and its text, wrapped at 78 columns.
Lines entry(const char* label, const std::string& text);

}  // namespace course

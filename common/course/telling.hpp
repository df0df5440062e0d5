// Lines that both the scoreboard and `watch` show: verdicts of the exercises that were just graded, and the
// next step.
#pragma once

#include "standing.hpp"
#include "verdict.hpp"

namespace course {

/// The abilities of the terminal: colours and block characters.
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
/// Returns the first exercise after this one that is not done; if there is none, the first in the course; null if all are done. Exercises with right results by a different method come last.
const Standing* next_to_do(const std::vector<Standing>& standings, const Exercise* behind);

/// The verdict of a test that has just run, and its exercise.
struct Graded {
    const Exercise* exercise;
    Verdict verdict;
};

/// Returns whether the exercise is not done. This includes exercises with right results and a different
/// method.
bool is_wrong(const Verdict& verdict);
/// Returns the output of the student's code, and then the verdict in one line.
Lines outcome_lines(const Verdict& verdict);
/// Returns the whole verdict. For an untouched exercise, the text is empty, because the next step says
/// everything.
Lines verdict_lines(const Course& course, const Graded& one);
/// Returns the verdicts of several tests: one line for each, and the first failure in full.
Lines told_of(const Course& course, const std::vector<Graded>& graded);

/// Returns the state as words for a sentence, such as "TODO(2) is open" or "is wrong".
std::string state_in_words(const Standing& one);
/// Returns the lines of the next step: "  Next: TOPIC/NAME is wrong", the file and the task. `just_told`: the
/// verdict is printed directly above.
Lines next_lines(const Course& course, const Standing& next, bool just_told, const Look& look);
/// Returns a label and a text, wrapped at 78 columns.
Lines entry(const char* label, const std::string& text);

}  // namespace course

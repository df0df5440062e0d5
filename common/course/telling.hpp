// What the scoreboard and `watch` both tell: the verdicts of what was graded, and what to do next, as lines of a screen.
#pragma once

#include "standing.hpp"
#include "verdict.hpp"

namespace course {

/// Colours and blocks, where the reader's terminal has them.
struct Look {
    bool colour = false, blocks = false;

    explicit Look(bool is_terminal);
    static Look plain();
    std::string paint(const char* code, const std::string& text) const;
    std::string repeated(const char* block, char plain, int count) const;
};

/// The standings of all exercises that are graded here, in the order of the story.
std::vector<Standing> all_standings(const Course& course);

bool is_to_do(const Standing& one);
/// The first one that is not done, behind this exercise if there is one; null: none is left.
const Standing* next_to_do(const std::vector<Standing>& standings, const Exercise* behind);

/// A test of an exercise that was run just now.
struct Graded {
    const Exercise* exercise;
    Verdict verdict;
};

bool is_wrong(const Verdict& verdict);
/// In one line, behind what the student's code printed.
Lines outcome_lines(const Verdict& verdict);
/// All of it; nothing of an exercise that nobody has touched, where what to do next says all.
Lines verdict_lines(const Course& course, const Graded& one);
/// Of several: in a line each which are done, then the first failure in full.
Lines told_of(const Course& course, const std::vector<Graded>& graded);

/// "open", "wrong", ... in so many words as a sentence wants: "TODO(2) is open".
std::string state_in_words(const Standing& one);
/// "  Next: TOPIC/NAME, is open", then the file and the task. `just_told`: its verdict stands above.
Lines next_lines(const Course& course, const Standing& next, bool just_told, const Look& look);
/// Text behind a label, broken at 78 columns.
Lines entry(const char* label, const std::string& text);

}  // namespace course

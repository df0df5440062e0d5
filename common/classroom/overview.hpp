// What a class looks like from above: how many are where, where they are stuck, what is wrong most often.
#pragma once

#include <array>

#include "classroom.hpp"

namespace classroom {

/// An outcome as a reader sees it. Untouched: the starter, byte for byte.
enum class Cell { passed, wrong, broken, open, untouched, missing, ungraded };
constexpr std::size_t cells = 7;

Cell cell_of(const Entry& entry);
/// Of an exercise that the student lacks: ungraded.
Cell cell_of(const Student& student, const Exercise& exercise);
/// "right", "wrong", "does not compile", "open", "untouched", "missing", "not graded".
const char* in_words(Cell cell);
/// Handed in, worked on, and not right: somebody may want help.
bool is_stuck(Cell cell);

/// What is wrong: the finding that the report tells in full.
struct Diagnosis {
    std::string words;  ///< "race", "only the end is wrong"
    std::string page;   ///< lectures/diagnoses/race.md; empty where there is none
};
/// Empty where nothing failed.
Diagnosis diagnosis_of(const Verdict& verdict);

/// One exercise in the whole class.
struct Standing {
    const Exercise* exercise = nullptr;
    std::array<std::size_t, cells> count{};
    std::vector<const Student*> stuck;

    std::size_t of(Cell cell) const { return count[static_cast<std::size_t>(cell)]; }
};

/// One diagnosis in the whole class.
struct Frequent {
    Diagnosis diagnosis;
    std::size_t submissions = 0;  ///< with it
    std::vector<const Student*> students;
    std::vector<const Exercise*> exercises;
};

struct Overview {
    std::vector<Standing> exercises;  ///< in the order of the story
    std::vector<Frequent> diagnoses;  ///< the most frequent first

    /// The exercises where somebody is stuck, those with the most first.
    std::vector<const Standing*> hardest() const;
};
Overview overview_of(const Class& graded);

}  // namespace classroom

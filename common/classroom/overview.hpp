// The overview of a class: the number of students in each state, the exercises that stop students, the most frequent mistakes.
#pragma once

#include <array>

#include "classroom.hpp"

namespace classroom {

/// An outcome for a reader. Other: right results, but not as the exercise asks. Untouched: the file equals the starter byte for byte.
enum class Cell { passed, other, wrong, broken, open, untouched, missing, ungraded };
constexpr std::size_t cells = 8;

Cell cell_of(const Entry& entry);
/// Returns the outcome; ungraded for an exercise that the student does not have.
Cell cell_of(const Student& student, const Exercise& exercise);
/// Returns "right", "another method", "wrong", "does not compile", "open", "untouched", "missing" or "not graded".
const char* in_words(Cell cell);
/// Returns the name of the outcome's style on pages: "passed", "other" and so on.
std::string style_of(Cell cell);
/// Returns whether the file was edited and is not right, so that the student may need help.
bool is_stuck(Cell cell);

/// The mistake that the report explains in full.
struct Diagnosis {
    std::string words;  ///< "race", "only the end is wrong"
    std::string page;   ///< lectures/diagnoses/race.md; empty if there is none
};
/// Returns an empty one if nothing failed.
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
    std::size_t submissions = 0;  ///< number of submissions with it
    std::vector<const Student*> students;
    std::vector<const Exercise*> exercises;
};

struct Overview {
    std::vector<Standing> exercises;  ///< in the order of the course
    std::vector<Frequent> diagnoses;  ///< the most frequent first

    /// Returns the exercises that stop students, those with the most students first.
    std::vector<const Standing*> hardest() const;
};
Overview overview_of(const Class& graded);

}  // namespace classroom

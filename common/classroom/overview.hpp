// The overview of a class: the number of students in each state, the exercises that stop students, and the
// most frequent mistakes.
#pragma once

#include <array>

#include "classroom.hpp"

namespace classroom {

/// An outcome for readers. other: right results, but not as the exercise asks. untouched: the file equals the
/// starter byte for byte.
enum class Cell { passed, other, wrong, broken, open, untouched, missing, ungraded };
constexpr std::size_t cells = 8;

Cell cell_of(const Entry& entry);
/// Returns the outcome for readers; `ungraded` if the student has no entry for the exercise.
Cell cell_of(const Student& student, const Exercise& exercise);
/// Returns the outcome as words: "right", "another method", "wrong", "does not compile", "open", "untouched",
/// "missing" or "not graded".
const char* in_words(Cell cell);
/// Returns the name of the outcome's style on pages, such as "passed" or "other".
std::string style_of(Cell cell);
/// Returns whether the file was edited and is not right, so that the student may need help.
bool is_stuck(Cell cell);

/// The mistake that the report explains in full.
struct Diagnosis {
    std::string words;  ///< for example "race" or "only the end is wrong"
    std::string page;   ///< for example lectures/diagnoses/race.md; empty if there is no page
};
/// Returns the diagnosis of a verdict; empty if nothing failed.
Diagnosis diagnosis_of(const Verdict& verdict);

/// The states of all students in one exercise.
struct Standing {
    const Exercise* exercise = nullptr;
    std::array<std::size_t, cells> count{};
    std::vector<const Student*> stuck;

    std::size_t of(Cell cell) const { return count[static_cast<std::size_t>(cell)]; }
};

/// A diagnosis, and how often it occurs in the class.
struct Frequent {
    Diagnosis diagnosis;
    std::size_t submissions = 0;  ///< number of submissions with this diagnosis
    std::vector<const Student*> students;
    std::vector<const Exercise*> exercises;
};

struct Overview {
    std::vector<Standing> exercises;  ///< in the order of the course
    std::vector<Frequent> diagnoses;  ///< the most frequent one first

    /// Returns the exercises that stop students; the one with the most such students comes first.
    std::vector<const Standing*> hardest() const;
};
Overview overview_of(const Class& graded);

}  // namespace classroom

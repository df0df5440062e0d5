// A student's progress with an exercise, which follows from the verdicts of its tests.
#pragma once

#include "course.hpp"

namespace course {

/// The states from best to worst. `other`: right, but not as the exercise asks. An exercise with several tests has the worst of their
/// states.
enum class State { done, skipped, other, ungraded, edited, open, wrong, broken };

struct Standing {
    const Exercise* exercise = nullptr;
    State state = State::done;
    int task = 0;      ///< number of the task to work on next; 0: unknown
    std::string edit;  ///< the file to edit, and the line if the verdict names one
    std::string what;  ///< the first sentence of the verdict
};

Standing standing_of(const Course& course, const Exercise& exercise);

/// Returns the tests that grade an exercise: one, and one more for each variant.
std::vector<std::string> tests_of(const Exercise& exercise);

/// Returns the file that they grade.
fs::path submitted_file(const Course& course, const Exercise& exercise);

}  // namespace course

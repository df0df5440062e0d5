// A student's progress with an exercise, computed from the verdicts of its tests.
#pragma once

#include "course.hpp"

namespace course {

/// The states, from best to worst. `other`: the results are right, but the method is not the one that the
/// exercise asks for. An exercise with several tests has the worst of their states.
enum class State { done, skipped, other, ungraded, edited, open, wrong, broken };

struct Standing {
    const Exercise* exercise = nullptr;
    State state = State::done;
    int task = 0;      ///< number of the task to work on next; 0 if unknown
    std::string edit;  ///< the file to edit, with the line if the verdict names one
    std::string what;  ///< the first sentence of the verdict
};

Standing standing_of(const Course& course, const Exercise& exercise);

/// Returns the names of the tests that grade an exercise: one, and one more for each variant.
std::vector<std::string> tests_of(const Exercise& exercise);

/// Returns the file that the exercise's tests grade.
fs::path submitted_file(const Course& course, const Exercise& exercise);

}  // namespace course

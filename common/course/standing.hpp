// How far somebody is with an exercise: what the verdicts of its tests say together.
#pragma once

#include "course.hpp"

namespace course {

/// One with several tests is as good as the worst of them: that is the order here.
enum class State { done, skipped, ungraded, edited, open, wrong, broken };

struct Standing {
    const Exercise* exercise = nullptr;
    State state = State::done;
    int task = 0;      ///< the one to look at next; 0: not known
    std::string edit;  ///< the file to edit, and the line where its verdict names one
    std::string what;  ///< its verdict says first
};

Standing standing_of(const Course& course, const Exercise& exercise);

/// The tests that grade an exercise: one, and another one for each variant.
std::vector<std::string> tests_of(const Exercise& exercise);

/// The file that they grade.
fs::path submitted_file(const Course& course, const Exercise& exercise);

}  // namespace course

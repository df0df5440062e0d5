// Generates starters from solutions and writes them to exercises/, without overwriting a student's work.
//
// A file is replaced only if it equals, byte for byte, a starter that was generated before. There are two
// ways to know that:
// - copies of everything that this program wrote to exercises/ (in the build folder, written_starters/), for
// authors who change a solution twice;
// - git, if it is available: a starter that some committed version of the solution generates. Git is asked only for solutions, so an exercise that a student has committed is still the student's work.
// All other files are a student's work, and are kept. A student's file is replaced only if the user names it,
// and is first copied to a file in the same folder.
#pragma once

#include "course.hpp"

namespace course {

enum class Put { unchanged, made, renewed, kept };

/// Writes the starter of an exercise to exercises/. Returns `kept` if the file there is a student's work.
/// Throws Error if the marks of the solution are wrong.
Put put_starter(const Course& course, const Exercise& exercise);

/// Returns advice for a user who requested a new starter, which was not written because the file is a
/// student's work.
std::string advice_on_kept(const Course& course, const Exercise& exercise);

/// Replaces the file in any case. Returns the path of the copy of the old file. Throws Error if this copy
/// already exists.
fs::path force_starter(const Course& course, const Exercise& exercise);

}  // namespace course

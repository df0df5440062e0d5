// Generates starters from solutions and puts them into exercises/, without ever changing a student's work.
//
// A file may be replaced only if it equals, byte for byte, a starter that was generated before. Two sources show that:
//   - the copies of everything that this tool wrote there (build folder, written_starters/), for authors who change a solution twice;
//   - git, if available: a starter that some committed version of the solution generates. Git is asked for solutions, not for
//     exercises, so a committed exercise is still a student's work.
// Everything else is a student's work, and is kept. It is replaced only if the user names it, and it is first copied to a file next to it.
#pragma once

#include "course.hpp"

namespace course {

enum class Put { unchanged, made, renewed, kept };

/// Puts the starter of an exercise into exercises/. Returns kept if a student's work is there. Throws Error if the solution's marks are
/// wrong.
Put put_starter(const Course& course, const Exercise& exercise);

/// Returns the advice for a user whose request for a new starter was refused because the file was kept.
std::string advice_on_kept(const Course& course, const Exercise& exercise);

/// Replaces the file in any case. Returns the copy of the old file. Throws Error if such a copy already exists.
fs::path force_starter(const Course& course, const Exercise& exercise);

}  // namespace course

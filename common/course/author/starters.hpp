// Starters: made from solutions, and put into exercises/ without ever changing a student's work.
//
// A file may be replaced only if it is byte for byte a starter that was made before. Two sources are consulted:
//   - the copy of what this tool wrote there last (build folder, written_starters/), for authors who change a solution twice;
//   - git, where it is: a starter that some committed version of the solution makes. That somebody has committed an exercise does
//     not help, as solutions are asked, not exercises.
// Everything else is a student's work, and is kept. It is replaced only on request by name, and first copied to a file next to it.
#pragma once

#include "course.hpp"

namespace course {

enum class Put { unchanged, made, renewed, kept };

/// Puts the starter of an exercise into exercises/; kept: somebody's work is there. Throws Error where the solution's marks are wrong.
Put put_starter(const Course& course, const Exercise& exercise);

/// What to tell whoever wanted a new starter where the file was kept.
std::string advice_on_kept(const Course& course, const Exercise& exercise);

/// Puts it there in any case. Returns the copy of what was there. Throws Error if there is such a copy already.
fs::path force_starter(const Course& course, const Exercise& exercise);

}  // namespace course

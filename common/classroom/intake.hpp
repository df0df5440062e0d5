// Who handed in what: the folder of a class, one folder or archive per student, becomes students with their files. Every oddity
// becomes a sentence in Student::remarks; only what the instructor wrote (file of names, deadline) can be an error.
#pragma once

#include "classroom.hpp"
#include "handed_in.hpp"

namespace classroom {

struct IntakeOptions {
    fs::path students;  ///< OUT/students: the files go to students/ID/TOPIC/NAME.cu, as they were handed in
    fs::path names;     ///< the file of names (names.hpp); empty: none
    std::string deadline;  ///< "2026-12-01T23:59" or "2026-12-01" (its end), in local time; empty: none
    Limits limits;
};

/// Fills in all of the class but verdicts. A file is found as exercises/TOPIC/NAME.cu, TOPIC/NAME.cu, or NAME.cu where only one
/// exercise has this name, also below other folders; where several could be meant, the one with the longest match is taken, then
/// the one below fewer folders. Entries that are not to be graded have their outcome: missing, or open for an untouched starter.
/// Several processes may take in the same class at the same time.
Class take_in(const Course& course, const std::vector<const Exercise*>& exercises,
              const fs::path& submissions, const IntakeOptions& options);

/// A name as a folder may have it, anywhere: no "/", nothing hidden, no option, neither blanks nor endless.
std::string safe_id(const std::string& name);

/// Seconds since 1970 of a deadline as IntakeOptions has it. Throws Error.
std::time_t time_of_deadline(const std::string& deadline);

}  // namespace classroom

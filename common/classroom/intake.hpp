// Reads the folder of a class, with one folder or archive per student, into students with their files. Each problem becomes a sentence
// in Student::remarks. Only the instructor's input (file of names, deadline) can cause an error.
#pragma once

#include "classroom.hpp"
#include "handed_in.hpp"

namespace classroom {

struct IntakeOptions {
    fs::path students;     ///< OUT/students, which gets the unchanged files as students/ID/TOPIC/NAME.cu
    fs::path names;        ///< the file of names (names.hpp); empty: none
    std::string deadline;  ///< "2026-12-01T23:59" or "2026-12-01" (its end), in local time; empty: none
    Limits limits;
};

/// Fills in the class, except for verdicts. Accepts a file as exercises/TOPIC/NAME.cu, as TOPIC/NAME.cu, or as NAME.cu if only one
/// exercise has this name, even below other folders. Among several files for one exercise, it takes the one with the longest match, then
/// the one below fewer folders. Entries that will not be graded get their outcome: missing, or open for an untouched starter.
/// Several processes can read the same class at the same time.
Class take_in(const Course& course, const std::vector<const Exercise*>& exercises,
              const fs::path& submissions, const IntakeOptions& options);

/// Returns a name that is valid for a folder on any system: without "/" or blanks, not hidden, not like an option, and shortened.
std::string safe_id(const std::string& name);

/// Returns a deadline, in the format of IntakeOptions, as seconds since 1970. Throws Error.
std::time_t time_of_deadline(const std::string& deadline);

}  // namespace classroom

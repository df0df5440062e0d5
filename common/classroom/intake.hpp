// Reads the folder of a class, with one folder or archive for each student. Each problem becomes a sentence
// in Student::remarks. Only the instructor's input (file of names, deadline) can cause an error.
#pragma once

#include "classroom.hpp"
#include "handed_in.hpp"
#include "hunts.hpp"

namespace classroom {

struct IntakeOptions {
    fs::path students;     ///< the folder OUT/students, which receives the files unchanged as
                           ///< ID/TOPIC/NAME.cu
    fs::path names;        ///< the file of names (names.hpp); empty if there is none
    std::string deadline;  ///< "2026-12-01T23:59" or "2026-12-01" (the end of that day), in local time; empty
                           ///< if there is none
    /// Bug hunts by exercise. For these exercises, the repaired file exercises/hunts/NAME.cu is graded, and
    /// NAME.answer next to it.
    std::map<const Exercise*, course::Hunt> hunts;
    Limits limits;
};

/// Fills in the class, except for verdicts. A file is accepted as exercises/TOPIC/NAME.cu, as TOPIC/NAME.cu,
/// or as NAME.cu if only one exercise has this name; folders above do not matter. Of several files for an
/// exercise, the one with the longest match is used, and otherwise the one below fewer folders. Entries that
/// will not be graded get their outcome: missing, or open for an untouched starter. Several processes can
/// read the same class at the same time.
Class take_in(const Course& course, const std::vector<const Exercise*>& exercises,
              const fs::path& submissions, const IntakeOptions& options);

/// Returns a valid folder name for every operating system: shortened, without "/" or blanks, not hidden, and
/// not like an option.
std::string safe_id(const std::string& name);

/// Returns a deadline, in the format of IntakeOptions, as seconds since 1970. Throws Error if the format is
/// wrong.
std::time_t time_of_deadline(const std::string& deadline);

}  // namespace classroom

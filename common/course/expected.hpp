// Compares the verdict of a submission with what its entry states: kind, task, place and demand, and then the whole screen.
#pragma once

#include <map>

#include "difference.hpp"
#include "submissions.hpp"
#include "verdict.hpp"

namespace course {

/// What a verdict says about its first failure, in the form of an entry.
struct Facts {
    std::string kind;  ///< a name from common/diagnoses.hpp, or passed, open or no_verdict
    std::string task;  ///< "1", "1, 2" or "none"
    Lines
        at;  ///< the source lines that it names, sorted; for a file that is not the program, the name of the file
    std::string demand;
};

/// `program`: the source of the submission.
Facts facts_of(const Verdict& verdict, const fs::path& program);

/// What differs from the entry, as "- kind: race" (stated) and "+ kind: barrier" (now). "kind: race | nan" allows both. On a GPU, where a
/// verdict rarely names lines, they are compared only if the entry states some for it, and never if it says that the screen varies.
Lines differences(const Entry& entry, const Facts& facts, const std::string& backend);

/// The screens of an exercise, tests/TOPIC/NAME.screens: "== wrong MISTAKE", then the screen.
class Screens {
  public:
    explicit Screens(const std::string& text);
    /// No lines if there is no screen of this entry.
    const Lines& of(const std::string& id) const;
    void set(const std::string& id, Lines screen);
    /// In the order of the entries; screens of entries that are gone are left out.
    std::string text(const Exercise& exercise, const Submissions& order) const;

  private:
    std::map<std::string, Lines> screens_;
};

/// No screens if there is no such file.
Screens screens_of(const Course& course, const Exercise& exercise);

/// What the student reads between the first line, which names the device, and the command that runs the test again. Addresses are cut off.
Lines screen_of(const Verdict& verdict);

}  // namespace course

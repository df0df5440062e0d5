// Compares the verdict of a submission with what its entry states: kind, task, place and demand, and then the whole screen.
#pragma once

#include <map>
#include <set>

#include "submissions.hpp"
#include "verdict.hpp"

namespace course {

/// The facts of a verdict's first failure, in the form of an entry.
struct Facts {
    std::string kind;  ///< a name from common/diagnoses.hpp, or passed, other_method, open or no_verdict
    std::string task;  ///< "1", "1, 2" or "none"
    Lines
        at;  ///< texts of the lines that it names, sorted; for a line of a different file, the name of that file
    std::string demand;
};

/// Returns the facts of the verdict. `program` is the source of the submission.
Facts facts_of(const Verdict& verdict, const fs::path& program);

/// Returns the facts of all failures that a test of the grader itself can state: "kind: race", "fault: values", "pattern: end", "rule:
/// race", "error: cudaErrorInvalidValue", "task: 1", "demand: barriers", "case: n=1", "failed: 6".
std::set<std::string> named_facts(const Verdict& verdict);

/// Returns the kind of an entry without a line "kind:". A right submission passes. One with a different method is other_method on the CPU
/// backend, and passes on a GPU, which does not count what a kernel does. A wrong submission has no usual kind.
std::string usual_kind(const Entry& entry, const std::string& backend);

/// Returns the differences from the entry, as "- kind: race" (stated) and "+ kind: barrier" (now). "kind: race | nan" allows both. On a
/// GPU a verdict rarely names lines, so they are compared only if the entry states lines for a GPU. If the entry says that the screen
/// varies, they are never compared.
Lines differences(const Entry& entry, const Facts& facts, const std::string& backend);

/// The screens of a topic, tests/TOPIC/TOPIC.screens: "== wrong EXERCISE.MISTAKE", then the screen.
class Screens {
  public:
    explicit Screens(const std::string& text);
    /// Returns no lines if there is no screen of this entry.
    const Lines& of(const Exercise& exercise, const Entry& entry) const;
    void set(const Exercise& exercise, const Entry& entry, Lines screen);
    /// Returns the file's text, in the order of the manifest and of the entries, without screens of removed entries.
    std::string text(const Course& course, const std::string& topic) const;

  private:
    std::map<std::string, Lines> screens_;  ///< of "wrong EXERCISE.MISTAKE"
};

/// Returns no screens if there is no such file.
Screens read_screens(const Course& course, const std::string& topic);

/// Returns the lines that a student reads between the first line, which names the device, and the command that runs the test again.
/// Addresses are shortened.
Lines screen_of(const Verdict& verdict);

}  // namespace course

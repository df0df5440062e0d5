// Compares the verdict of a submission with its entry: kind, task, line and demand, and then the whole
// screen.
#pragma once

#include <map>
#include <set>

#include "submissions.hpp"
#include "verdict.hpp"

namespace course {

/// The facts about the first failure of a verdict, in the form that an entry uses.
struct Facts {
    std::string kind;  ///< a name in common/diagnoses.hpp, or passed, other_method, open or no_verdict
    std::string task;  ///< for example "1", "1, 2" or "none"
    Lines at;          ///< sorted texts of the named lines; for another file, its name
    std::string demand;
};

/// Returns the facts of a verdict. `program` is the path of the submission's source.
Facts facts_of(const Verdict& verdict, const fs::path& program);

/// Returns the facts of all failures, in the form that the grader's own tests use: "kind: race", "fault:
/// values", "pattern: end", "rule: race", "error: cudaErrorInvalidValue", "task: 1", "demand: barriers",
/// "case: n=1", "failed: 6".
std::set<std::string> named_facts(const Verdict& verdict);

/// Returns the kind of an entry without a line "kind:". A right submission passes. A submission with a
/// different method gets other_method on the CPU backend, and passes on a GPU, where methods are not checked.
/// A wrong submission must state its kind.
std::string usual_kind(const Entry& entry, const std::string& backend);

/// Returns the differences between an entry and the facts: "- kind: race" is in the entry, and "+ kind:
/// barrier" in the facts. "kind: race | nan" allows both. On a GPU, a verdict rarely names lines, so lines
/// are compared only if the entry states them for a GPU. If the entry says that the screen varies, lines are
/// never compared.
Lines differences(const Entry& entry, const Facts& facts, const std::string& backend);

/// The screens of a topic, from tests/TOPIC/TOPIC.screens: a line "== wrong EXERCISE.MISTAKE", then the
/// screen, for each entry.
class Screens {
  public:
    explicit Screens(const std::string& text);
    /// Returns the screen of an entry; no lines if there is none.
    const Lines& of(const Exercise& exercise, const Entry& entry) const;
    void set(const Exercise& exercise, const Entry& entry, Lines screen);
    /// Returns the text for the file, sorted like the manifest and the entries. Screens of entries that no
    /// longer exist are left out.
    std::string text(const Course& course, const std::string& topic) const;

  private:
    std::map<std::string, Lines> screens_;  ///< screens by name, such as "wrong EXERCISE.MISTAKE"
};

/// Reads the screens of a topic; none if the file is missing.
Screens read_screens(const Course& course, const std::string& topic);

/// Returns the lines for the student: between the first line, which names the device, and the command that
/// runs the test again. Addresses are shortened.
Lines screen_of(const Verdict& verdict);

}  // namespace course

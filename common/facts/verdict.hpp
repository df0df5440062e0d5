// The verdict of a graded run. The grader writes a verdict, the judge adds what only the judge knows, and
// scoreboard, watch, JUnit and the class grader read it (facts/json.hpp).
#pragma once

#include <facts/outcome.hpp>

namespace kit::facts {

/// The result of a case. `tasks` are the tasks that the report names.
struct CaseVerdict : Outcome {
    std::string name;
    std::optional<int>
        edit;  ///< the line to edit for a task: 0 if there is none; no value if the grader does not know the
               ///< lines of the tasks
    double seconds = 0;
};

/// The outcome of a run in which no case fails, and at least one case uses a different method.
inline constexpr char other_method[] = "other_method";

struct Verdict {
    std::string test;
    /// One of: pass, other_method (right results, but not as the exercise asks), fail (of the grader), wrong
    /// (of the judge), open (a gap of the starter is left), broken (does not compile), skip (cannot run on
    /// this machine).
    std::string outcome;
    std::string sentence;  ///< text after "RESULT"
    std::string again;     ///< the command that runs a test again that has not passed
    std::string token;     ///< random text for this run, which proves that the grader wrote the verdict
    std::string device, seed;
    int status = 0;  ///< exit status that the grader has announced
    int passed = 0, failed = 0, skipped = 0;
    std::string told;    ///< name of the case whose failure the report explains in full
    int gap = 0;         ///< number of the first TODO that is open; 0 if there is none, or if it is unknown
    double seconds = 0;  ///< time of the whole run in seconds, without building
    std::vector<CaseVerdict> cases;
    std::vector<std::string> notes;  ///< remarks about the whole run
    std::string output;              ///< the whole report as text
    std::string inputs;  ///< hash of the inputs of a test that has passed: with the same inputs, the verdict
                         ///< is the same
};

}  // namespace kit::facts

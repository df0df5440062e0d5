// The verdict of a graded run: the grader writes it, the judge adds what only it knows, and scoreboard, watch, JUnit and the class grader
// read it (facts/json.hpp).
#pragma once

#include <facts/outcome.hpp>

namespace kit::facts {

/// The result of a case. `tasks` are the tasks that the report names to the student.
struct CaseVerdict : Outcome {
    std::string name;
    std::optional<int>
        edit;  ///< the line of a task to edit; 0: there is none; nothing: the grader does not know the tasks' lines
    double seconds = 0;
};

/// The outcome of a run in which no case fails and at least one uses a different method.
inline constexpr char other_method[] = "other_method";

struct Verdict {
    std::string test;
    /// pass, other_method (right results, but not as the exercise asks), fail (of the grader), wrong (of the judge), open (a gap of the
    /// starter is left), broken (does not compile), skip (cannot run here)
    std::string outcome;
    std::string sentence;  ///< the text after "RESULT"
    std::string again;     ///< the command that runs a test again that has not passed
    std::string token;     ///< random text of the run, which proves that the grader wrote the verdict
    std::string device, seed;
    int status = 0;  ///< the exit status that the grader announced
    int passed = 0, failed = 0, skipped = 0;
    std::string told;    ///< name of the case whose failure the report explains in full
    int gap = 0;         ///< number of the first TODO that is still open; 0: none, or unknown
    double seconds = 0;  ///< time of the whole run, without building
    std::vector<CaseVerdict> cases;
    std::vector<std::string> notes;  ///< remarks about the run as a whole
    std::string output;              ///< the whole report, as text
    std::string inputs;  ///< hash of the inputs of the test, if it passed: equal inputs, same verdict
};

}  // namespace kit::facts

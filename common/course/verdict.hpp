// The file with the verdict of a test. The grader writes its result (common/grader/report.hpp). The judge
// adds facts that only it knows, and stores the file as results/TEST.json in the build folder. Scoreboard,
// JUnit and the class grader read only this file. An example:
//
//   {"test": "exercise.07_reduction.tree", "outcome": "wrong", "sentence": "1 of 12 cases failed", "seconds": 0.7,
//    "device": "CPU executor as NVIDIA H200", "seed": "1", "told": "n=1", "passed": 11, "failed": 1,
//    "cases": [{"name": "n=1", "outcome": "fail", "diagnosis": "race", "fault": "finding", "finding": {"rule": "race", ...},
//               "tasks": [1], "edit": 24, "seconds": 0.1, "demands": ["barriers"]}],
//    "output": "the whole report, as text", "inputs": "90d1c5ba4e2f7a31"}
//
// common/facts/outcome.hpp describes the facts of a case, and common/words has their sentences. If a case has
// right results by a different method, its "outcome" is "other_method", and it has a "method" instead of a
// diagnosis. The run has this outcome if no case fails and at least one has it.
#pragma once

#include <facts/verdict.hpp>
#include <optional>
#include <string>
#include <vector>

#include "course.hpp"
#include "text.hpp"

namespace course {

using kit::facts::CaseVerdict;
using kit::facts::other_method;
using kit::facts::Status;
using kit::facts::Verdict;

/// Returns whether a verdict can be about this case: it fails, or it uses a different method.
bool is_told(const CaseVerdict& one);

/// Returns the failure that the report explains in full; null if no case fails.
const CaseVerdict* told_failure(const Verdict& verdict);

/// Returns the word after RESULT for the outcome of a test: pass, other, fail, open or skip.
std::string word_of(const std::string& outcome);

/// Reads a verdict. Returns nothing if the file is missing or cannot be read.
std::optional<Verdict> read_verdict(const fs::path& path);
void write_verdict(const fs::path& path, const Verdict& verdict);

/// The line that the judge prints before the verdict of an earlier run.
inline constexpr char kept_verdict[] =
    "Nothing has changed since this verdict, so the test did not run. KIT_RUN_ALL=1 runs it.";

/// Returns a random token for one run. The judge passes the token only to the grader, so a verdict with this
/// token is from the grader.
std::string random_token();

/// Returns the output of a program in which only the grader's last line begins with "RESULT", if the run has
/// a verdict. Other lines that begin like this are indented.
std::string without_forgeries(const std::string& output, bool with_verdict);

// Writes verdicts as a JUnit file, with names, messages and the whole output. Open, wrong and broken
// exercises have different types.

/// Returns one test suite for each topic, with one test case for each test. The type of a failure is "open",
/// "wrong" or "other_method". A submission that does not compile is an error of type "broken".
std::string junit_of(const Course& course, const std::vector<Verdict>& verdicts);

}  // namespace course

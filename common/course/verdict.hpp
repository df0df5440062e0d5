// The file of a verdict. The grader writes its result (common/grader/report.hpp). The judge adds what only it knows, and keeps the file in
// the build folder, results/TEST.json. Scoreboard, JUnit and the class grader read that file, and no text.
//
//     {"test": "exercise.07_reduction.tree", "outcome": "wrong", "sentence": "1 of 12 cases failed", "seconds": 0.7,
//      "device": "CPU executor as NVIDIA H200", "seed": "1", "told": "n=1", "passed": 11, "failed": 1,
//      "cases": [{"name": "n=1", "outcome": "fail", "diagnosis": "race", "fault": "finding", "finding": {"rule": "race", ...},
//                 "tasks": [1], "edit": 24, "seconds": 0.1, "demands": ["barriers"]}],
//      "output": "the whole report, as text", "inputs": "90d1c5ba4e2f7a31"}
//
// common/facts/outcome.hpp describes the facts of a case, and common/words has their sentences.
// A case with right results by a different method has "outcome": "other_method", and "method" instead of a diagnosis. The whole run has
// this outcome if no case fails and at least one has it.
#pragma once

#include <facts/verdict.hpp>
#include <optional>
#include <string>
#include <vector>

#include "text.hpp"

namespace course {

using kit::facts::CaseVerdict;
using kit::facts::other_method;
using kit::facts::Status;
using kit::facts::Verdict;

/// Returns whether a verdict can be about this case: it fails, or another method is used.
bool is_told(const CaseVerdict& one);

/// Returns the word after RESULT for the outcome of a test: pass, other, fail, open or skip.
std::string word_of(const std::string& outcome);

/// Returns nothing if there is no file, or if it cannot be read.
std::optional<Verdict> read_verdict(const fs::path& path);
void write_verdict(const fs::path& path, const Verdict& verdict);

/// The line that the judge prints before a verdict of an earlier run.
inline constexpr char kept_verdict[] =
    "Nothing has changed since this verdict, so the test did not run. KIT_RUN_ALL=1 runs it.";

/// Returns a token for one run: only the grader, which the judge starts with it, can write it into the verdict.
std::string random_token();

/// Returns the output of a program, in which only the grader's line begins with "RESULT": the last one, if the run has a verdict. The lines
/// of a program that imitate it are indented.
std::string without_forgeries(const std::string& output, bool with_verdict);

}  // namespace course

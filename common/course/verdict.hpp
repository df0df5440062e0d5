// The file of a verdict. The grader writes what it found (common/grader/report.hpp); the judge adds what only it knows and keeps it in
// the build folder, results/TEST.json. Scoreboard, JUnit and whoever grades a class read that file and no text.
//
//     {"test": "exercise.07_reduction.tree", "outcome": "wrong", "sentence": "1 of 12 cases failed", "seconds": 0.7,
//      "device": "CPU executor as NVIDIA H200", "seed": "1", "told": "n=1", "passed": 11, "failed": 1,
//      "cases": [{"name": "n=1", "outcome": "fail", "diagnosis": "race", "fault": "finding", "finding": {"rule": "race", ...},
//                 "tasks": [1], "edit": 24, "seconds": 0.1, "demands": ["barriers"]}],
//      "output": "the whole report, as text", "inputs": "90d1c5ba4e2f7a31"}
//
// common/facts/outcome.hpp says what the facts of a case are, and common/words what they say.
// A case with right results by another method has "outcome": "other_method", and "method" in place of a diagnosis. The whole run has this
// outcome if no case fails and at least one has it.
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

/// Nothing if there is no file, or none that can be read.
std::optional<Verdict> read_verdict(const fs::path& path);
void write_verdict(const fs::path& path, const Verdict& verdict);

/// The judge prints this line before a verdict of an earlier run.
inline constexpr char kept_verdict[] =
    "Nothing has changed since this verdict, so the test did not run. KIT_RUN_ALL=1 runs it.";

/// A token for one run: only the grader, which the judge starts with it, can write it into the verdict.
std::string random_token();

/// The output of a program, in which only the grader's line begins with "RESULT": the last one, if the run has a verdict. The lines of a
/// program that imitate it are indented.
std::string without_forgeries(const std::string& output, bool with_verdict);

}  // namespace course

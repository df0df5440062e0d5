// The verdict of a graded run, as everybody but the grader sees it: a file of JSON, read and written here only.
//
// The grader writes what it found (common/grader/report.hpp); the judge adds what only it knows and keeps it in the build
// folder, results/TEST.json. Scoreboard, JUnit and whoever grades a class read that file and no text.
//
//     {"test": "exercise.07_reduction.tree", "outcome": "wrong", "sentence": "1 of 12 cases failed", "seconds": 0.7, "gap": 0,
//      "device": "CPU executor as NVIDIA H200", "seed": "1", "told": "n=1", "passed": 11, "failed": 1, "skipped": 0,
//      "cases": [{"name": "n=1", "outcome": "fail", "diagnosis": "race", "headline": "...", "details": ["..."],
//                 "tasks": [1], "page": "lectures/diagnoses/race.md", "file": "exercises/...", "line": 24, "seconds": 0.1,
//                 "places": ["tree.cu:24"], "finding": {"rule": "race", ...}, "demands": ["barriers"], "demand": "barriers", "crossed": 2}],
//      "output": "the whole report, as text", "inputs": "90d1c5ba4e2f7a31"}
//
// A case with right results by another method has "outcome": "other_method", and "practises", "did" and "why" of that method
// (common/grader/method.hpp) in place of a diagnosis. The whole run has this outcome if no case fails and at least one has it.
// "finding" has the facts of what the executor found (common/facts/finding.hpp).
// "crossed" is there with --worker only: how many results of the student's code the judge has compared itself.
#pragma once

#include <facts/finding.hpp>
#include <optional>
#include <string>
#include <vector>

#include "text.hpp"

namespace course {

/// Of a test: pass, other_method (right results, but not as the exercise asks), wrong, open (a gap of the starter is left), broken (does
/// not compile), skip (cannot run here). Of a case: pass, other_method, fail, skip.
struct CaseVerdict {
    std::string name, outcome, diagnosis, headline, meaning, see, page, file;
    std::string what;                            ///< the headline without the parts about single lines
    std::string error;                           ///< the name of CUDA's error, if the failure is one
    std::optional<kit::facts::Finding> finding;  ///< the executor's finding, if the failure is one
    int line = 0;
    std::vector<int> tasks;
    std::vector<std::string> details, notes, demands;
    std::vector<std::string> places;  ///< the lines that the failure names: "tree.cu:24"
    std::string demand;               ///< the one of `demands` that the failure, or the method, is about
    std::string practises, did, why;  ///< only of a case with another method
    double seconds = 0;
};

struct Verdict {
    std::string test, outcome, sentence;
    std::string token;  ///< the run's token, as the grader wrote it
    std::string device, seed;
    int status = 0;  ///< the exit status that the grader announced
    int passed = 0, failed = 0, skipped = 0;
    std::string told;    ///< the case whose failure, or method, the report explains in full
    int gap = 0;         ///< the first TODO that is open; 0: none, or not known
    double seconds = 0;  ///< time of the whole run, without building
    std::vector<CaseVerdict> cases;
    std::vector<std::string> notes;
    std::string output;
    std::string inputs;  ///< see inputs_of(); only if the test passed: equal inputs give the same verdict

    /// Returns whether any sentence of this verdict contains the text.
    bool says(const std::string& text) const;
};

/// The outcome of a test, or a case, that has right results by another method than the exercise asks for.
inline constexpr char other_method[] = "other_method";

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

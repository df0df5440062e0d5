// Runs one test and judges it. The exit status of a program alone never passes: there must be a verdict of the grader, with the
// token of this run, and it must agree with the status.
#pragma once

#include <sys/types.h>

#include <facts/finding.hpp>
#include <functional>
#include <map>

#include "course.hpp"
#include "submission.hpp"
#include "verdict.hpp"

namespace course {

/// A test, as CMake describes it.
struct Test {
    std::string name;     ///< "wrong.07_reduction.tree.missing_barrier"
    std::string mode;     ///< see kit_add_checked_test
    fs::path submission;  ///< file that is judged, or whose first lines name the tools that do not run
    std::string target;   ///< target to build for an exercise, if a student has edited the file
    std::string status;   ///< in mode message, the exit status: a number or "not 0"
    std::vector<std::string> expected;  ///< in mode message, texts that the program must print
    std::vector<std::string> command;   ///< the program and its arguments
};

struct Run {
    int status = 0;      ///< exit status; 128 + N after signal N, as in a shell
    std::string output;  ///< standard output and standard error
    double seconds = 0;
};

struct Process {
    pid_t id = -1;
    int output = -1;  ///< file descriptor that the caller reads and closes
};

/// Starts a program with an empty standard input; `environment` is added to ours. With `own_session`, the program and its children cannot
/// access the terminal, and the session's number, which is the program's, finds them all. Throws Error if there is no such program.
Process start(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment,
              bool own_session = false);

/// Runs a program and waits for it. While it runs, calls `heard` with its whole output so far.
Run run(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment = {},
        const std::function<void(const std::string& output)>& heard = {});

// ---- compute-sanitizer's reports as findings, so that a student reads the same sentences as from the executor ----

/// Returns a finding for each kind of mistake and each place, in the order of the reports. `source`: the file whose lines are quoted.
std::vector<kit::facts::Finding> findings_of_sanitizer(const std::string& output, const fs::path& source);

/// Returns the sentences of findings, each in one line, then the pages about their kinds.
Lines told_of_sanitizer(const std::vector<kit::facts::Finding>& findings);

// ---- one number for everything that a verdict depends on: while it stays the same, a test that has passed need not run again ----

/// Returns the number, in hexadecimal digits, for a run in which the judge sets these environment variables. The judge knows the inputs
/// of exercises and of the executor's own tests. For every other test the result is empty, so the test always runs: on a GPU the
/// driver and the device are inputs, and tests of the kit start programs that are installed on the machine.
std::string inputs_of(const Course& course, const Test& test,
                      const std::map<std::string, std::string>& environment);

}  // namespace course

// Runs one test and judges it. A program never passes by its exit status alone: there must be a verdict of
// the grader with the token of this run, and the verdict must agree with the exit status.
#pragma once

#include <sys/types.h>

#include <facts/finding.hpp>
#include <functional>
#include <map>

#include "course.hpp"
#include "submission.hpp"
#include "verdict.hpp"

namespace course {

/// A test, with the facts that CMake passes.
struct Test {
    std::string name;     ///< for example "wrong.07_reduction.tree.missing_barrier"
    std::string mode;     ///< how the test is judged (kit_add_checked_test)
    fs::path submission;  ///< file to judge, or file whose first lines name the tools that do not run
    std::string target;   ///< target to build for an exercise that the student has edited
    std::string status;   ///< in mode "message": the expected exit status, a number or "not 0"
    std::vector<std::string> expected;  ///< in mode "message": texts that the program must print
    std::vector<std::string> command;   ///< the program with its arguments
};

struct Run {
    int status = 0;      ///< exit status; 128 + N if signal N ended the program, as in a shell
    std::string output;  ///< standard output and standard error together
    double seconds = 0;
};

struct Process {
    pid_t id = -1;
    int output = -1;  ///< file descriptor, which the caller reads and closes
};

/// Starts a program with empty standard input and with `environment` added to the environment variables. With
/// `own_session`, the program and its children cannot access the terminal, and all of them have the program's
/// number as their session. Throws Error if the program is missing.
Process start(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment,
              bool own_session = false);

/// Runs a program until it ends. Meanwhile, calls `heard` with all output so far.
Run run(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment = {},
        const std::function<void(const std::string& output)>& heard = {});

// Reports of compute-sanitizer as findings, so that a student reads the same sentences as with the executor.

/// Returns one finding for each kind of mistake and each place, in the order of the reports. `source` is the
/// file whose lines are quoted.
std::vector<kit::facts::Finding> findings_of_sanitizer(const std::string& output, const fs::path& source);

/// Returns the findings as lines of text: a sentence for each, and then the pages about their kinds.
Lines told_of_sanitizer(const std::vector<kit::facts::Finding>& findings);

// A hash of everything on which a verdict depends. A test that has passed need not run again while this hash
// stays the same.

/// Returns the hash as hexadecimal digits, for a run with these environment variables. The judge knows the
/// inputs of exercises and of the executor's own tests. For other tests the result is empty, so they always
/// run: on a GPU, the driver and the device are inputs as well, and tests of the kit start programs that are
/// installed on the machine.
std::string inputs_of(const Course& course, const Test& test,
                      const std::map<std::string, std::string>& environment);

}  // namespace course

// Runs one test and judges it. The exit status of a program alone never passes: the grader's verdict must be there, bear the
// token of this very run, and agree with the status.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>

#include "course.hpp"
#include "submission.hpp"
#include "verdict.hpp"

namespace course {

/// What a test is, as CMake tells it.
struct Test {
    std::string name;     ///< "wrong.07_reduction.tree.missing_barrier"
    std::string mode;     ///< see kit_add_checked_test
    fs::path submission;  ///< the file that is judged, or whose first lines say what is left out
    std::string target;   ///< of an exercise: what to build, unless nobody has touched the file
    std::string status;   ///< mode message: the exit status, a number or "not 0"
    std::vector<std::string> expected;  ///< mode message: texts that must be printed
    std::vector<std::string> command;   ///< the program and its arguments
};

struct Run {
    int status = 0;      ///< as a shell has it: 128 + N for signal N
    std::string output;  ///< standard output and standard error
    double seconds = 0;
};

struct Process {
    pid_t id = -1;
    int output = -1;  ///< to be read, and closed, by the caller
};

/// Starts a program whose standard input is empty; `environment` is added to ours. With `own_session` nothing that it starts can
/// reach the terminal, and all of it is found by the session's number, which is the program's. Throws Error if there is none.
Process start(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment,
              bool own_session = false);

/// Runs a program and waits for it. While the program runs, `heard` is called with everything that it has printed so far.
Run run(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment = {},
        const std::function<void(const std::string& output)>& heard = {});

/// Reports of compute-sanitizer in the words of the executor: one line for each kind of mistake and place, then the pages.
/// Lines of `source` are quoted.
std::vector<std::string> in_our_words(const std::string& output, const fs::path& source);

}  // namespace course

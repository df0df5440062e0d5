// For exercises whose contract says that an error of a CUDA call ends the program: makes each call fail in turn, and checks that
// the program ends. Only the executor of the CPU backend can make a call fail.
//
//     int main(int argc, char** argv) {
//         if (error_handling::probe_asked(argc, argv)) return error_handling::failing_calls_main(call_it);
//         ...
//         error_handling::add_failing_calls(grader, "Task 4");
//
// or, with a case of the test instead of a function:
//
//         error_handling::check_failing_calls(grader, argc, argv, {"n=257"});
//         return grader.run();
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "01_error_handling/probe.hpp"
#include "grader.cuh"

namespace error_handling {

/// The calls whose errors must end the program, as the contract says.
enum class Checked { all, launches, all_but_launches };

#ifdef KIT_CPU
constexpr int no_such_call = 3, not_demanded = 4;
inline Checked checked_calls = Checked::all;

/// Reports that the program continues after the failure of this call, and ends the process.
inline void went_on(const char* failed) {
    const bool launch = std::string(failed).rfind("<<<>>>", 0) == 0;
    if (checked_calls == (launch ? Checked::all_but_launches : Checked::launches)) _exit(not_demanded);
    std::printf("unchecked=%s\n", failed);
    std::fflush(stdout);
    _exit(0);
}

/// Ends the process when the student's function has returned.
inline void end_of_call() {
    const std::string failed = kit::cpu::failed_host_call();
    if (failed.empty()) _exit(no_such_call);
    went_on(failed.c_str());
}
#endif

/// Runs in the new process. `run` receives a function, and calls it just before it calls the student's function.
inline int failing_calls_main([[maybe_unused]] const std::function<void(const std::function<void()>&)>& run) {
#ifdef KIT_CPU
    constexpr unsigned most_calls = 60;
    std::freopen("/dev/null", "w", stderr);  // hides the messages of checks that work
    for (unsigned failing = 0; failing < most_calls; ++failing) {
        std::fflush(nullptr);
        const pid_t child = fork();  // forks before this process uses CUDA
        if (child == 0) {
            kit::cpu::collect_findings(true);
            run([failing] { kit::cpu::fail_host_call(failing, went_on); });
            end_of_call();
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) < 0) return 1;
        if (WIFEXITED(status) && (WEXITSTATUS(status) == no_such_call || WEXITSTATUS(status) == 0)) break;
    }
    std::printf("done=1\n");
#endif
    return 0;
}

/// A call as the executor names it: "cudaMalloc@line 12@FILE" or "<<<>>>@line 20@FILE".
struct FailedCall {
    explicit FailedCall(const std::string& call) {
        const std::size_t line = call.find("@line "), file = call.find('@', line + 1);
        name = call.substr(0, line);
        if (line == std::string::npos) return;
        at.line = std::atoi(call.c_str() + line + 6);
        if (file != std::string::npos) at.file = call.substr(file + 1);
    }
    std::string in_words() const {
        return (name == "<<<>>>" ? "a kernel launch" : name) +
               (at.line == 0 ? "" : " at line " + std::to_string(at.line));
    }

    std::string name;
    kit::facts::Line at;
};

/// Runs the probe, and fails the case if the program continues after the failure of a call. `task`: the task of the calls, such as
/// "Task 4"; empty if the line of the call determines it.
inline void expect_checked_calls(kit::Case& test, const kit::Said& task = "") {
    const Probe probe = run_probe("calls");
    const std::string unchecked = probe.value("unchecked");
    test.check(!unchecked.empty() || probe.value("done") == "1",
               "while a call of the runtime fails the program " + probe.ending(),
               kit::Diagnosis::second_call);
    if (unchecked.empty()) return;
    const FailedCall failed(unchecked);
    kit::facts::Failure failure = kit::detail::failure_of(
        kit::Diagnosis::second_call,
        failed.in_words() +
            " fails, and your code continues although it must end the program: check each call "
            "with CUDA_CHECK, and each launch with CUDA_CHECK_LAUNCH" +
            (task.empty() ? kit::Said() : " (" + task + ")"));
    failure.at = failed.at;
    test.add_failure(std::move(failure));
}

inline void add_failing_calls([[maybe_unused]] kit::Grader& grader, [[maybe_unused]] const kit::Said& task) {
#ifdef KIT_CPU
    grader.add("failing calls", [task](kit::Case& test) { expect_checked_calls(test, task); }, {20, true});
#endif
}

/// The same without a function for the probe and without a further case: the calls of these cases fail, and the first of them reports
/// it. Only the first call of the student's function in a case counts. Must be called just before Grader::run().
inline void check_failing_calls([[maybe_unused]] kit::Grader& grader, [[maybe_unused]] int argc,
                                [[maybe_unused]] char** argv,
                                [[maybe_unused]] const std::vector<std::string>& cases,
                                [[maybe_unused]] Checked checked = Checked::launches) {
#ifdef KIT_CPU
    if (!probe_asked(argc, argv)) {
        for (const std::string& name : cases)  // a name that no case has ends the program
            grader.afterwards(name, [is_first = name == cases[0]](kit::Case& test) {
                is_first ? expect_checked_calls(test) : test.check(true, "");
            });
        return;
    }
    checked_calls = checked;
    for (const std::string& name : cases)
        if (const int status = failing_calls_main(
                [&](const std::function<void()>& begin) { grader.run_once(name, begin, end_of_call); }))
            std::_Exit(status);
    std::fflush(nullptr);
    std::_Exit(0);
#endif
}

}  // namespace error_handling

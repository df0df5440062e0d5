// For exercises whose contract says that an error of a CUDA call ends the program: makes each call fail in turn, and checks that
// the program ends. Only the executor of the CPU backend can make a call fail.
//
//     int main(int argc, char** argv) {
//         if (error_handling::probe_asked(argc, argv)) return error_handling::failing_calls_main(call_it);
//         ...
//         error_handling::add_failing_calls(grader, "Task 4");
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <string>

#include "01_error_handling/probe.hpp"
#include "grader.cuh"

namespace error_handling {

/// Runs in the new process. `call` receives a function, and calls it just before it calls the student's function.
inline int failing_calls_main(
    [[maybe_unused]] const std::function<void(const std::function<void()>&)>& call) {
#ifdef KIT_CPU
    constexpr int no_such_call = 3;
    constexpr unsigned most_calls = 60;
    std::freopen("/dev/null", "w", stderr);  // hides the messages of checks that work
    for (unsigned failing = 0; failing < most_calls; ++failing) {
        std::fflush(nullptr);
        const pid_t child = fork();  // forks before this process uses CUDA
        if (child == 0) {
            kit::cpu::collect_findings(true);
            static constexpr auto went_on = [](const char* failed) {
                std::printf("unchecked=%s\n", failed);
                std::fflush(stdout);
                _exit(0);
            };
            call([failing] { kit::cpu::fail_host_call(failing, went_on); });
            const std::string failed = kit::cpu::failed_host_call();
            if (failed.empty()) _exit(no_such_call);
            went_on(failed.c_str());
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) < 0) return 1;
        if (WIFEXITED(status) && (WEXITSTATUS(status) == no_such_call || WEXITSTATUS(status) == 0)) break;
    }
    std::printf("done=1\n");
#endif
    return 0;
}

/// Returns "cudaMalloc at line 12" or "a kernel launch at line 20" for the executor's "cudaMalloc@line 12" or "<<<>>>@line 20".
inline std::string call_in_words(const std::string& call) {
    const std::size_t at = call.find('@');
    const std::string name = call.substr(0, at);
    return (name == "<<<>>>" ? "a kernel launch" : name) +
           (at == std::string::npos ? "" : " at " + call.substr(at + 1));
}

/// `task`: the task of the calls, such as "Task 4"; empty if they belong to several tasks.
inline void add_failing_calls([[maybe_unused]] kit::Grader& grader, [[maybe_unused]] const kit::Said& task) {
#ifdef KIT_CPU
    grader.add(
        "failing calls",
        [task](kit::Case& test) {
            const Probe probe = run_probe("calls");
            const std::string unchecked = probe.value("unchecked");
            test.check(
                unchecked.empty(),
                call_in_words(unchecked) +
                    " fails, and your code continues although it must end the program: check each call "
                    "with CUDA_CHECK, and each launch with CUDA_CHECK_LAUNCH" +
                    (task.empty() ? "" : " (" + task + ")"),
                kit::Diagnosis::second_call);
            test.check(!unchecked.empty() || probe.value("done") == "1",
                       "while a call of the runtime fails the program " + probe.ending(),
                       kit::Diagnosis::second_call);
        },
        {20, true});
#endif
}

}  // namespace error_handling

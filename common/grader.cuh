// grader.cuh: the header for tests. It provides cases, inputs, comparisons, diagnoses and the report. A test
// looks like this:
//
//   #include "grader.cuh"
//   #include "07_reduction/07_reduction.hpp"
//
//   int main(int argc, char** argv) {
//       kit::Grader grader("07_reduction", "tree", argc, argv);
//       grader.task(2, {kit::Diagnosis::tail});
//       for (int n : kit::sizes(256)) {
//           grader.add("n=" + std::to_string(n), [n](kit::Case& test) {
//               const auto values = kit::heavy_tailed<float>(test.random(), n);
//               auto in = test.input("in", values);
//               auto out = test.output<float>("out", 1);
//               test.call([&] { reduction::tree(in.data(), n, out.data()); });
//               test.expect(out, {sum(values)}, kit::tolerance_sum<float>(n, sum_of_absolutes(values)));
//           });
//       }
//       return grader.run();
//   }
//
// Its parts are small headers in the folder grader/. Authors of tests read case.hpp; inputs.hpp provides
// values and sizes, and compare.hpp provides tolerances. grader/implementation.hpp contains the code that a
// test needs only when it runs. grader.cuh includes this code, so that one call of the compiler builds an
// exercise. The kit's own build compiles that code once for all tests (grader/implementation.cu) and defines
// KIT_GRADER_COMPILED.
#pragma once

#include <grader/about.hpp>
#include <grader/case.hpp>

#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace kit {

namespace detail {
struct Exam;
}

struct CaseOptions {
    double seconds = 10;    ///< time limit of the case in seconds, for all of its runs together
    bool once = false;      ///< whether the case runs only once, because its effect cannot be repeated in one
                            ///< process
    const char* late = "";  ///< what a missing result can mean, in the words of the test
    int late_task = 0;      ///< the task to which `late` points; 0 if there is none
};

/// The test of one exercise: collects the cases, runs them in a child process, and reports.
class Grader {
  public:
    /// Reads the command line (see --help). An invalid option ends the program with a message and status 2.
    Grader(const std::string& topic, const std::string& exercise, int argc, char** argv);

    /// Maps these diagnoses to a task of the exercise's README, for failures without a line in a task. The
    /// title of the task comes from the README. If a diagnosis is mapped to several tasks, the verdict names
    /// all of them, in the order of the calls.
    void task(int number, const std::vector<Diagnosis>& diagnoses);

    /// Maps a failure with these facts to a task, wherever its lines are. If several calls name the same
    /// facts, the verdict names all of these tasks. If a failure has the facts of several calls, the first
    /// call counts (grader/task.hpp). Task 0 means that given code is wrong.
    void task(int number, const About& about);

    /// States that the contract allows the host to compute the results (its line "What the host may
    /// compute"). Without this call, a submission that runs no kernel is wrong.
    void host_may_compute();

    /// Adds a case. The body runs several times, with different values and a different order of threads each
    /// time.
    void add(std::string name, std::function<void(Case&)> body, CaseOptions options = {});

    /// Adds a check to this case, which runs once after all runs of the case have passed. It needs no values
    /// of the case, and the report counts no further case. A name that no case has ends the program.
    void afterwards(const std::string& name, std::function<void(Case&)> check);

    /// Runs this case once in this process, without a report, and calls these functions before and after the
    /// student's function. For a process that a test has started.
    void run_once(const std::string& name, std::function<void()> before_call,
                  std::function<void()> after_call);

    /// Runs all cases, and ends the program with status 0 (pass), 1 (fail or open) or 77 (skipped). This
    /// function does not return to main(), so static destructors and atexit functions of the student's code
    /// cannot change the result.
    [[noreturn]] int run();

  private:
    std::shared_ptr<detail::Exam> exam_;
};

}  // namespace kit

#ifndef KIT_GRADER_COMPILED
#include <grader/implementation.hpp>
#endif

// grader.cuh: the header that a test includes. It provides cases, inputs, comparison, diagnosis and the report.
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
// The parts are small headers below grader/. Authors of tests read case.hpp; inputs.hpp provides values and sizes, and compare.hpp
// tolerances. The part that a test needs only when it runs is grader/implementation.hpp. This header includes it, so that one call of the
// compiler builds an exercise. The kit's own build compiles it once for all tests (grader/implementation.cu) and defines
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
    double seconds = 10;    ///< time limit of the case in seconds, for all its runs together
    bool once = false;      ///< run the case only once, because its effect cannot be repeated in one process
    const char* late = "";  ///< what a missing result may mean, in words of the test
    int late_task = 0;      ///< the task of that; 0: none
};

/// One exercise: collects its cases, runs them in a child process, and reports.
class Grader {
  public:
    /// Reads the options (see --help). A wrong option ends the program with a sentence and status 2.
    Grader(const std::string& topic, const std::string& exercise, int argc, char** argv);

    /// Names the task of the exercise's README to which these diagnoses point if no line of a task is known. The title of the task is read
    /// from the README. If a diagnosis belongs to several tasks, it points to them in the order of the calls.
    void task(int number, const std::vector<Diagnosis>& diagnoses);

    /// Names the task to which a failure with these facts points, wherever its lines are. If several tasks have the same facts, the failure
    /// points to all of them, in the order of the calls. If different facts fit, the first call counts (grader/task.hpp). Task 0 means
    /// that the fault is in given code.
    void task(int number, const About& about);

    /// States that the contract allows the host to compute the results (its line "What the host may compute"). Without this call, a
    /// submission that runs no kernel is wrong.
    void host_may_compute();

    /// Adds a case. The body runs several times, each time with different values and a different order of threads.
    void add(std::string name, std::function<void(Case&)> body, CaseOptions options = {});

    /// Runs all cases and ends the program with status 0 (pass), 1 (fail or open) or 77 (skipped). It does not
    /// return to main, so that static destructors and atexit functions of the student's code cannot change the
    /// result.
    [[noreturn]] int run();

  private:
    std::shared_ptr<detail::Exam> exam_;
};

}  // namespace kit

#ifndef KIT_GRADER_COMPILED
#include <grader/implementation.hpp>
#endif

// grader.cuh: what a test includes. Cases, inputs, comparison, diagnosis, report.
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
// The parts are small headers under grader/: case.hpp is the one that test authors read, inputs.hpp has the values and sizes,
// compare.hpp the tolerances. What a test needs at run time only is in grader/implementation.hpp. It is part of this header,
// so that one compiler call builds an exercise; the kit's own build compiles it once for all tests (grader/implementation.cu)
// and defines KIT_GRADER_COMPILED.
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
    double seconds = 10;    ///< time limit of the case, all its runs together
    bool once = false;      ///< one run only, for cases whose effect cannot be repeated in one process
    const char* late = "";  ///< what a missing result may mean, in words of the test
};

/// One exercise: collects its cases, runs them in a child process and reports.
class Grader {
  public:
    /// Reads the options (see --help); a wrong one ends the program with a sentence and status 2.
    Grader(const std::string& topic, const std::string& exercise, int argc, char** argv);

    /// The task of the exercise's README that these diagnoses point to where no line of a task is known; its title is looked
    /// up there. A diagnosis of several tasks points to them in the order of the calls.
    void task(int number, const std::vector<Diagnosis>& diagnoses);

    /// The task that a failure with these facts points to, wherever its lines are. The same facts of several tasks point to all of
    /// them, in the order of the calls; of different facts that fit, the first count (grader/task.hpp). Task 0: the
    /// fault is in given code, so the verdict names no task.
    void task(int number, const About& about);

    /// The contract allows the host to compute the results (its line "What the host may compute"). Otherwise a submission that runs no
    /// kernel at all is wrong.
    void host_may_compute();

    /// Adds a case. The body runs several times, with other values and in another order of threads each time.
    void add(std::string name, std::function<void(Case&)> body, CaseOptions options = {});

    /// Runs all cases and ends the program: status 0 pass, 1 fail or open, 77 skipped. Leaving here, and not
    /// through main, keeps static destructors and atexit functions of the student's code from having the last
    /// word.
    [[noreturn]] int run();

  private:
    std::shared_ptr<detail::Exam> exam_;
};

}  // namespace kit

#ifndef KIT_GRADER_COMPILED
#include <grader/implementation.hpp>
#endif

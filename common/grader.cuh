// grader.cuh: what a test includes. Cases, inputs, comparison, diagnosis, report.
//
//   #include "grader.cuh"
//   #include "07_reduction/07_reduction.hpp"
//
//   int main(int argc, char** argv) {
//       kit::Grader grader("07_reduction", "tree", argc, argv);
//       grader.task(kit::Diagnosis::tail, "Task 2, \"the tail\"");
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
// The parts are small headers under grader/: case.hpp is the one that test authors read, inputs.hpp has the
// values and sizes, compare.hpp the tolerances, diagnosis.hpp the verdicts.
#pragma once

#include <grader/supervisor.hpp>

namespace kit {

/// One exercise: collects its cases, runs them in a child process and reports.
class Grader {
  public:
    /// Reads the options (see --help); a wrong one ends the program with a sentence and status 2.
    Grader(std::string topic, std::string exercise, int argc, char** argv)
        : topic_(std::move(topic)),
          exercise_(std::move(exercise)),
          options_(detail::parse_options(argc, argv)) {
        const bool numbered = topic_.find_first_of("0123456789") == 0;  // the kit's own tests have no number
        readme_.path = numbered ? "exercises/" + topic_ + "/README.md" : "tests/" + topic_;
        detail::session_seed = options_.seed;
    }

    /// Names the task of the exercise's README that a diagnosis points to.
    void task(Diagnosis diagnosis, std::string where) { readme_.tasks[diagnosis] = std::move(where); }

    /// Adds a case. The body runs several times, with other values and in another order of threads each time.
    void add(std::string name, std::function<void(Case&)> body, CaseOptions options = {}) {
        cases_.push_back({std::move(name), std::move(body), options});
    }

    /// Runs all cases and ends the program: status 0 pass, 1 fail or open, 77 skipped. Leaving here, and not
    /// through main, keeps static destructors and atexit functions of the student's code from having the last
    /// word.
    [[noreturn]] int run() {
        const int status = grade();
        std::fflush(nullptr);
        std::_Exit(status);
    }

  private:
    int grade() {
        std::vector<const detail::Entry*> chosen;
        for (const detail::Entry& entry : cases_) {
            if (entry.name.find(options_.only) != std::string::npos) chosen.push_back(&entry);
        }
        if (options_.list) {
            for (const detail::Entry* entry : chosen) std::printf("%s\n", entry->name.c_str());
            return 0;
        }
        detail::Report report(topic_, exercise_, options_.seed);
        if (chosen.empty() && !cases_.empty()) {
            return report.fail("no case ran: none has \"" + options_.only + "\" in its name, see --list");
        }
        if (options_.fork) return detail::Supervisor(report, readme_, options_).run(chosen);
        return grade_here(report, chosen);
    }

    /// --no-fork: the same cases in this process.
    int grade_here(detail::Report& report, const std::vector<const detail::Entry*>& entries) {
        const detail::Device device = detail::find_device();
        if (!device.usable) return report.skip(device.text);
        report.header(device.text);
        report.line("--no-fork: graded without protection from crashes, exit() and endless loops");
#ifdef KIT_CPU
        cpu::collect_findings(true);
#endif
        for (const detail::Entry* entry : entries) {
            const detail::Outcome outcome = detail::Runner(*entry, options_.seed).grade();
            report.verdict(outcome.status, outcome.diagnosis,
                           detail::join(detail::describe(entry->name, outcome, readme_)));
            if (outcome.device_lost)
                return report.fail("the device is lost; without --no-fork the next case goes on");
        }
        return report.finish();
    }

    std::string topic_, exercise_;
    detail::Options options_;
    detail::Readme readme_;
    std::vector<detail::Entry> cases_;
};

}  // namespace kit

// A run of an exercise's tests with ctest, while the student continues to work. The run can be stopped at any
// time.
#pragma once

#include <chrono>
#include <optional>

#include "judge.hpp"
#include "telling.hpp"

namespace course {

class Grading {
  public:
    explicit Grading(const Course& course) : course_(course) {}
    Grading(const Grading&) = delete;
    ~Grading() { cancel(); }

    /// Starts a run. No other run may be in progress.
    void start(const Exercise& exercise, int columns);
    /// Ends all processes of the run, and restores the earlier verdicts. Does nothing if no run is in
    /// progress.
    void cancel();

    bool runs() const { return process_.id > 0; }
    int seconds() const;
    /// Readable if the run has printed something; -1 if no run is in progress.
    int descriptor() const { return process_.output; }
    void read();
    const std::string& said() const { return said_; }
    /// Returns the verdicts after the run has ended; nothing if ctest ended early, for a reason that it has
    /// printed.
    std::optional<std::vector<Graded>> verdicts();

  private:
    /// The file of a verdict, and its text before the run.
    struct Before {
        std::string test;
        bool there;
        std::string text;
        fs::file_time_type time;
    };
    bool was_written(const Before& before) const;
    void put_back(const Before& before) const;
    void end_all() const;

    const Course& course_;
    const Exercise* exercise_ = nullptr;
    Process process_;
    std::string said_;
    std::vector<Before> before_;
    std::chrono::steady_clock::time_point begun_;
};

}  // namespace course

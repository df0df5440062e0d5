// One run of an exercise's tests, as ctest does it, while the student continues to work: it can be stopped at any time.
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

    /// One at a time: nothing else may run.
    void start(const Exercise& exercise, int columns);
    /// Ends all that was started, and puts back the verdicts of before. Nothing runs: nothing happens.
    void cancel();

    bool runs() const { return process_.id > 0; }
    int seconds() const;
    int descriptor() const { return process_.output; }  ///< something can be read from it; -1: nothing ever
    void read();
    const std::string& said() const { return said_; }
    /// When the run has ended: its verdicts; none where ctest has not come so far (and has said why).
    std::optional<std::vector<Graded>> verdicts();

  private:
    /// The file of a verdict, as it was before the run.
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

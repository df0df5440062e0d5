// How long a build and the grading will take. Estimates use the speed of this machine: that of earlier builds in the
// same build folder, and that of the files that have been graded.
#pragma once

#include "classroom.hpp"

namespace classroom {

/// Returns the CPU seconds that compiling or linking this output of the build takes on a typical machine; 0 for
/// outputs of other commands.
double usual_seconds(const std::string& output);

/// Returns how many usual seconds of work the builds in Ninja's log did in a second; `otherwise` if the log is too
/// short to know.
double speed_of(const std::string& ninja_log, double otherwise);

/// The part of a build that is still to be done.
struct Plan {
    std::size_t files = 0;     ///< number of files to compile or to link
    double usual_seconds = 0;  ///< CPU seconds on a typical machine
    Lines parts;               ///< what is built, such as "the executor" or "12 tests"
};

/// Returns the plan for the targets: what Ninja would run for files that are missing in the build folder.
Plan plan_of(const Course& course, const Lines& targets);
Plan plan_of(const Lines& missing_outputs);

/// Returns a time in words, such as "40 s", "9 min" or "2 h 5 min".
std::string in_time(double seconds);

/// Estimates the rest of a work from its parts that are done. The parts must be done in random order.
class Rest {
  public:
    /// @param all   number of parts
    /// @param jobs  number of parts that are done at the same time
    Rest(std::size_t all, int jobs) : all_(all), jobs_(jobs) {}

    void add(double seconds) { ++done_, seconds_ += seconds; }
    std::size_t done() const { return done_; }
    /// Returns whether enough parts are done for an estimate.
    bool is_known() const;
    /// Returns the time until all parts are done, in seconds.
    double seconds() const;

  private:
    std::size_t all_, done_ = 0;
    int jobs_;
    double seconds_ = 0;
};

}  // namespace classroom

// Ends kernels that run longer than the time limit, which counts processor time.
#pragma once

#include <chrono>
#include <kit_cpu/thread.hpp>
#include <string>

namespace kit::cpu {

struct Grid;

/// How long a kernel, or a family of kernels, has run.
class KernelTime {
  public:
    KernelTime();
    /// Returns whether it has computed for `limit` seconds of processor time. A thread that waits for a core on a busy machine
    /// has not computed. For kernels that wait and do not compute, a multiple of the limit in wall-clock time counts, too.
    bool is_over(double limit) const;

    /// For a kernel that waits: continues with the time that has passed.
    struct Passed {
        std::chrono::steady_clock::duration real;
        double computed;
    };
    Passed passed() const;
    void continue_after(const Passed& before);

  private:
    std::chrono::steady_clock::time_point begun_;
    double computed_before_;
};

/// While an object of this class exists, the grid is watched: at the limit, the running threads are stopped at their current
/// instruction.
class Watched {
  public:
    explicit Watched(Grid& grid);
    ~Watched();
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;
};

/// While an object of this class exists, nothing is watched, because the grid waits for other kernels. Its time continues or is
/// stopped.
class NotWatched {
  public:
    explicit NotWatched(bool stands_still);
    ~NotWatched();
    NotWatched(const NotWatched&) = delete;
    NotWatched& operator=(const NotWatched&) = delete;

  private:
    Grid* grid_;
    bool stands_still_;
    unsigned interrupts_;
    KernelTime time_;
    KernelTime::Passed passed_;
};

/// Ends the grid because of its time. The report names the line of a thread or, if that is unknown, the progress of the grid.
void stop_late(Grid& grid, const facts::Who& thread, const Spot& spot);

/// Seconds after which a kernel is ended (KIT_KERNEL_SECONDS, set_kernel_time_limit).
double kernel_time_limit();

}  // namespace kit::cpu

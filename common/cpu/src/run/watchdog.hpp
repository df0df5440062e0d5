// Ends kernels that run longer than the time limit, which counts processor time.
#pragma once

#include <pthread.h>

#include <chrono>
#include <kit_cpu/thread.hpp>
#include <string>
#include <vector>

#include "source/findings.hpp"

namespace kit::cpu {

class Block;
struct Grid;

/// The time for which a kernel, or a family of kernels, has run.
class KernelTime {
  public:
    /// Returns whether one of the workers has computed for `limit` seconds of processor time. A worker that waits for its turn on a busy
    /// machine has not computed. Kernels that wait and compute nothing are over after a multiple of this in wall-clock time.
    bool is_over(double limit);

    /// The elapsed time of a waiting kernel, with which it continues later.
    struct Passed {
        std::chrono::steady_clock::duration real;
        double computed;
    };
    Passed passed();
    void continue_after(const Passed& before);

  private:
    /// The time that a worker had computed at the first check of the kernel. Most kernels end before that.
    struct Begin {
        pthread_t worker;
        double computed;
    };
    double computed_by_busiest();

    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    double computed_before_ = 0;  ///< before a pause
    std::vector<Begin> begins_;
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

/// Ends the grid because its time is over. The report names the line of a thread and what the other threads of its `block` do or, if the
/// line is unknown, the progress of the grid.
void stop_late(Grid& grid, const facts::Who& thread, const Spot& spot, Block* block = nullptr);

/// Seconds after which a kernel is ended (KIT_KERNEL_SECONDS, set_kernel_time_limit).
double kernel_time_limit();

}  // namespace kit::cpu

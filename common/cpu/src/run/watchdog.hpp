// Ends kernels that run longer than the time limit, which counts processor time.
#pragma once

#include <pthread.h>

#include <chrono>
#include <kit_cpu/thread.hpp>
#include <string>
#include <vector>

#include "source/findings.hpp"

namespace kit::cpu {

struct Grid;

/// How long a kernel, or a family of kernels, has run.
class KernelTime {
  public:
    /// Has one of the workers computed for `limit` seconds of processor time? A worker that waits for its turn on a busy machine has not
    /// computed. For kernels that wait and compute nothing, many times as long in wall-clock time counts, too.
    bool is_over(double limit);

    /// For a kernel that waits: the time goes on from what has passed.
    struct Passed {
        std::chrono::steady_clock::duration real;
        double computed;
    };
    Passed passed();
    void continue_after(const Passed& before);

  private:
    /// What a worker had computed when the kernel was looked at first. Most kernels end before that.
    struct Begin {
        pthread_t worker;
        double computed;
    };
    double computed_by_busiest();

    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    double computed_before_ = 0;  ///< before a pause
    std::vector<Begin> begins_;
};

/// While one of these lives, the grid is watched: at the limit the threads that run are stopped where they
/// are.
class Watched {
  public:
    explicit Watched(Grid& grid);
    ~Watched();
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;
};

/// While one lives, nothing is watched: the grid waits for others. Its time goes on, or stands still.
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

/// Ends the grid for its time: where a thread was, or how far the grid has come if that is not known.
void stop_late(Grid& grid, const facts::Who& thread, const Spot& spot);

/// Seconds after which a kernel is ended (KIT_KERNEL_SECONDS, set_kernel_time_limit).
double kernel_time_limit();

}  // namespace kit::cpu

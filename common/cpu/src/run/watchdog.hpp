// Ends kernels that exceed the time limit, which is processor time.
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
    /// Returns whether a worker has used `limit` seconds of processor time. Time spent waiting for a core on
    /// a busy machine does not count. A kernel that only waits exceeds the limit after a multiple of `limit`
    /// in wall-clock time.
    bool is_over(double limit);

    /// The time that a kernel had used before it was paused; continue_after() continues the count from this
    /// time.
    struct Passed {
        std::chrono::steady_clock::duration real;
        double computed;
    };
    Passed passed();
    void continue_after(const Passed& before);

  private:
    /// The processor time that a worker had used at the first check of the kernel. Most kernels end before
    /// that check.
    struct Begin {
        pthread_t worker;
        double computed;
    };
    double computed_by_busiest();

    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    double computed_before_ = 0;  ///< time before the last pause
    std::vector<Begin> begins_;
};

/// Watches a grid during the lifetime of the object. At the limit, the running threads are stopped at their
/// current instruction.
class Watched {
  public:
    explicit Watched(Grid& grid);
    ~Watched();
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;
};

/// Pauses the watch during the lifetime of the object, because the grid waits for other kernels. With
/// `stands_still`, this time does not count for the limit.
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

/// Ends the grid because it exceeded the time limit. The report names the line of one thread and the state of
/// the other threads of `block`. If the line is unknown, the report states the progress of the grid.
void stop_late(Grid& grid, const facts::Who& thread, const Spot& spot, Block* block = nullptr);

/// Seconds after which a kernel is ended (KIT_KERNEL_SECONDS, set_kernel_time_limit).
double kernel_time_limit();

}  // namespace kit::cpu

// Ends kernels that run longer than the time limit.
#pragma once

#include <chrono>
#include <kit_cpu/thread.hpp>
#include <string>

namespace kit::cpu {

struct Grid;

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
    std::chrono::steady_clock::time_point begun_;
    std::chrono::steady_clock::duration passed_;
    double computed_before_, computed_;
};

/// Ends the grid for its time: where a thread was, or how far the grid has come if that is not known.
void stop_late(Grid& grid, const facts::Who& thread, const Spot& spot);

/// Seconds after which a kernel is ended (KIT_KERNEL_SECONDS, set_kernel_time_limit).
double kernel_time_limit();

}  // namespace kit::cpu

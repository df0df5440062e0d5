// Kernels of several devices that wait for each other. One of them runs at a time. A kernel whose threads all wait releases the
// lock of the API, so other host threads can launch and run theirs. Each kernel has its own OS thread during this time, because
// the stacks of its threads belong to that OS thread. Called with the API lock held.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace kit::cpu {

struct Grid;

/// Returns whether a kernel can wait for another kernel that runs at the same time. On one device, the schedule decides the
/// order of kernels.
bool kernels_run_together();

/// Called when all threads of the grid, which the calling thread runs, wait. Lets other kernels continue. `for_signals`: only a
/// change that note_change() reports can wake these threads. If no kernel or host thread is left that could do so, the grid is
/// stopped and `why` reports the reason.
void pause_kernel(Grid& grid, bool for_signals, const std::function<void()>& why);

/// Reports a change for which other kernels may wait.
void note_change();

/// Lets a host thread wait until `done` returns true. Returns false if no kernel or host thread is left that could cause that,
/// or if an error occurred.
bool wait_for_others(const std::function<bool()>& done);

/// Host threads that each stand for a process. The executor knows all of them, so while all wait, no change can happen.
void host_threads_expected(unsigned count);  ///< number of threads that will join, or leave
void host_thread_joins(
    unsigned number);  ///< the calling thread joins; the threads take turns (device/turns.hpp)
void host_thread_leaves();

}  // namespace kit::cpu

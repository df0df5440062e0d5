// Kernels of several devices that wait for each other. Only one of these kernels runs at a time. A kernel
// whose threads all wait releases the lock of the API, so that other host threads can launch and run their
// kernels. Each of these kernels has its own OS thread, because the stacks of its CUDA threads belong to that
// OS thread. Called with the API lock held.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace kit::cpu {

struct Grid;

/// Returns whether a kernel can wait for another kernel that runs at the same time. On one device, the schedule decides the
/// order of kernels.
bool kernels_run_together();

/// Lets other kernels continue. Called when all threads of the grid, which the calling OS thread runs, wait.
/// `for_signals`: only a change that note_change() reports can wake these threads. If no kernel or host
/// thread is left that could cause such a change, `why` reports the reason, and the grid is stopped.
void pause_kernel(Grid& grid, bool for_signals, const std::function<void()>& why);

/// Reports a change for which waiting kernels and host threads may wait.
void note_change();

/// Waits in a host thread until `done` returns true. Returns false if an error occurred, or if no kernel or
/// host thread is left that could make `done` true.
bool wait_for_others(const std::function<bool()>& done);

/// Functions for host threads that each stand for a process. The executor knows all of these threads, so if
/// all wait, no change can happen.
void host_threads_expected(unsigned count);  ///< number of threads that will join, or will end without
                                             ///< joining
void host_thread_joins(
    unsigned number);  ///< adds the calling thread; the threads take turns (device/turns.hpp)
void host_thread_leaves();

}  // namespace kit::cpu

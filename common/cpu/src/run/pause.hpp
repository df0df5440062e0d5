// Kernels of several devices that wait for each other. One of them runs at a time; one whose threads all wait lets go of the
// lock of the API, so that other host threads launch theirs and run them. Each has an OS thread of its own meanwhile, since its
// threads' stacks belong to that. Called with the API lock held.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace kit::cpu {

struct Grid;

/// May a kernel wait for another one that runs beside it? On one device the order of kernels is the schedule's.
bool kernels_run_together();

/// All threads of the grid, which the calling thread runs, wait. Lets others go on. `for_signals`: nothing but what note_change()
/// tells of can let them go on. The grid is stopped if nobody is left who could; `why` says so then.
void pause_kernel(Grid& grid, bool for_signals, const std::function<void()>& why);

/// Something has happened that others may wait for.
void note_change();

/// A host thread waits until `done` says so. False if nobody is left who could bring that about, or an error came up.
bool wait_for_others(const std::function<bool()>& done);

/// Host threads that are known by name, as each of them stands for a process: while all wait, nothing will ever happen.
void host_threads_expected(unsigned count);  ///< that many will join, or leave
void host_thread_joins(unsigned number);     ///< the calling one; they take turns (device/turns.hpp)
void host_thread_leaves();

}  // namespace kit::cpu

// The worker threads: one for each core (KIT_WORKERS). The calling thread is the first.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace kit::cpu {

/// Calls `task` on up to `most` workers at the same time, including the caller, and returns when all have returned. `this_worker`
/// is set during the call.
void on_workers(unsigned most, const std::function<void()>& task);

/// Calls the task only on the calling thread, with a worker that belongs to that thread. Several such calls can be in progress.
void on_this_thread(const std::function<void()>& task);
/// Makes the call that the calling thread started there the current one.
void runs_on_this_thread();

/// Returns the OS threads that may run CUDA threads now, for the watchdog.
std::vector<pthread_t> worker_threads();

}  // namespace kit::cpu

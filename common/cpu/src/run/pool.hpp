// The worker threads: as many as there are cores (KIT_WORKERS), the calling thread being the first.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace kit::cpu {

/// Calls `task` on up to `most` workers at once, the caller included, and returns when all have come back.
/// `this_worker` is set meanwhile.
void on_workers(unsigned most, const std::function<void()>& task);

/// The same on the calling thread only, with a worker that belongs to it: several of these may have begun.
void on_this_thread(const std::function<void()>& task);
/// What runs now is what the calling thread has begun there.
void runs_on_this_thread();

/// The OS threads that may run CUDA threads right now; for the watchdog.
std::vector<pthread_t> worker_threads();

}  // namespace kit::cpu

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

/// The OS threads that may run CUDA threads right now; for the watchdog.
std::vector<pthread_t> worker_threads();

}  // namespace kit::cpu

// The worker threads: one per core, or the number in KIT_WORKERS. The calling thread is the first worker.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace kit::cpu {

/// Calls `task` on up to `most` workers at the same time, including the calling thread, and returns when all
/// of them have returned. `this_worker` is set during the call.
void on_workers(unsigned most, const std::function<void()>& task);

/// Calls the task only on the calling thread, with a worker that belongs to this thread. Several threads can
/// do this at the same time.
void on_this_thread(const std::function<void()>& task);
/// Makes the calling thread's call of on_this_thread() the current one.
void runs_on_this_thread();

/// Returns the OS threads that may be running CUDA threads, for the watchdog.
std::vector<pthread_t> worker_threads();

// Marks the threads whose waits do not count as waits of the host.

/// True in the executor's own threads. If one of these threads waits, the host does not wait.
inline thread_local bool is_executor_thread = false;

}  // namespace kit::cpu

// Host code that waits for queued work with functions of the operating system.
#pragma once

namespace kit::cpu {

/// Set in the executor's own threads. A wait by one of them is not a wait by the host.
inline thread_local bool is_executor_thread = false;

}  // namespace kit::cpu

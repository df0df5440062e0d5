// Host code that waits for queued work by means of the operating system.
#pragma once

namespace kit::cpu {

/// Set in the executor's own threads: when these wait, the host does not.
inline thread_local bool is_executor_thread = false;

}  // namespace kit::cpu

// Marks the threads whose waits do not count as waits of the host.
#pragma once

namespace kit::cpu {

/// True in the executor's own threads. If one of these threads waits, the host does not wait.
inline thread_local bool is_executor_thread = false;

}  // namespace kit::cpu

// The lock of the host API, and who must not ask for it.
#pragma once

#include <mutex>

namespace kit::cpu {

/// Guards all state of the host API. Held while queued work runs, so that work is never run twice.
std::recursive_mutex& api_mutex();

/// True while a function queued by cudaLaunchHostFunc runs on this thread; it must not call CUDA.
bool& in_host_function();

}  // namespace kit::cpu

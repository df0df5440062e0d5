// The blocks of the host's heap that the program has not freed since begin_host_blocks()
// (kit_cpu/executor.hpp).
#pragma once

#include <atomic>

namespace kit::cpu {

extern std::atomic<bool> notes_new_blocks;
/// Called by malloc while `notes_new_blocks` is set, so it must not allocate.
void watch_new_block(const void* begin, const void* caller);
/// Called when the block is freed, which then no longer needs to be watched.
void forget_watched(const void* begin);

}  // namespace kit::cpu

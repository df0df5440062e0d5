// The blocks of the host's heap that a call of the program has not freed: see begin_host_blocks() in kit_cpu/executor.hpp.
#pragma once

#include <atomic>

namespace kit::cpu {

extern std::atomic<bool> notes_new_blocks;
/// Called while `notes_new_blocks`. It allocates nothing, because malloc calls it.
void watch_new_block(const void* begin, const void* caller);
/// Called when the block is freed.
void forget_watched(const void* begin);

}  // namespace kit::cpu

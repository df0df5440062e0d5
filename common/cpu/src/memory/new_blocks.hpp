// Which blocks of the host's heap a call of the program has left: see begin_host_blocks() in kit_cpu/executor.hpp.
#pragma once

#include <atomic>

namespace kit::cpu {

extern std::atomic<bool> notes_new_blocks;
/// Called while `notes_new_blocks`. Allocates nothing: malloc calls it.
void watch_new_block(const void* begin, const void* caller);
/// The block is freed.
void forget_watched(const void* begin);

}  // namespace kit::cpu

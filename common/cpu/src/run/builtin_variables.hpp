// Write access to threadIdx, blockIdx, blockDim and gridDim, which are constants for device code
// (kit_cpu/thread.hpp).
#pragma once

#include <vector_types.h>

namespace kit::cpu {

extern __thread uint3 thread_index __asm__("kit_cpu_thread_index");
extern __thread uint3 block_index __asm__("kit_cpu_block_index");
extern __thread dim3 block_dim __asm__("kit_cpu_block_dim");
extern __thread dim3 grid_dim __asm__("kit_cpu_grid_dim");

/// Returns whether the address is that of a built-in variable or of the executor's own thread-local data.
inline bool is_thread_local(const void* address) {
    const char* const anchor = reinterpret_cast<const char*>(&thread_index);
    return static_cast<std::size_t>(static_cast<const char*>(address) - anchor + 1024) < 2048;
}

}  // namespace kit::cpu

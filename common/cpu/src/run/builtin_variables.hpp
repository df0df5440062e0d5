// The writable side of threadIdx, blockIdx, blockDim and gridDim (constants to device code, see
// kit_cpu/thread.hpp).
#pragma once

#include <vector_types.h>

namespace kit::cpu {

extern __thread uint3 thread_index __asm__("kit_cpu_thread_index");
extern __thread uint3 block_index __asm__("kit_cpu_block_index");
extern __thread dim3 block_dim __asm__("kit_cpu_block_dim");
extern __thread dim3 grid_dim __asm__("kit_cpu_grid_dim");

}  // namespace kit::cpu

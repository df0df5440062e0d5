// __pipeline_memcpy_async(), __pipeline_commit() and __pipeline_wait_prior() on the CPU executor.
#pragma once

#include <stddef.h>

#include <kit_cpu/async_copy.hpp>

/// Copies 4, 8 or 16 bytes from global to shared memory. The last `zeros` of these bytes are set to zero
/// instead.
inline void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0,
                                    kit::cpu::Place place = KIT_CPU_HERE) {
    kit::cpu::AsyncCopy call = kit::cpu::async_call("__pipeline_memcpy_async", to, from, bytes, place);
    call.zeros = zeros;
    kit::cpu::check_copy_size(call);
    kit::cpu::check_copy_alignment(call, bytes);
    call.bytes = bytes - zeros;
    kit::cpu::copy_in_group(call);
}

inline void __pipeline_commit() {
    kit::cpu::commit_copies(false);
}

/// Waits for all copy groups of the calling thread except the last `prior` ones.
inline void __pipeline_wait_prior(size_t prior) {
    kit::cpu::wait_for_copies(prior, false);
}

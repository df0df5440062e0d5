// Barriers and fences of CUDA's language on the CPU executor: __syncthreads() and its variants, __syncwarp(),
// __threadfence().
#pragma once

#include <host_defines.h>

#include <kit_cpu/turn.hpp>

KIT_CPU_WRAPPER void __syncthreads(kit::cpu::Place place = KIT_CPU_HERE) {
#ifdef KIT_CPU_RELAY
    if (kit::cpu::relayed(place)) return;
#endif
    kit::cpu::block_barrier(place);
}

/// A barrier that returns the number of the block's threads whose predicate is not zero.
inline int __syncthreads_count(int predicate, kit::cpu::Place place = KIT_CPU_HERE) {
    return kit::cpu::block_barrier_count(predicate, place);
}

inline int __syncthreads_and(int predicate, kit::cpu::Place place = KIT_CPU_HERE) {
    return kit::cpu::block_barrier_count(!predicate, place, "__syncthreads_and()") == 0;
}

inline int __syncthreads_or(int predicate, kit::cpu::Place place = KIT_CPU_HERE) {
    return kit::cpu::block_barrier_count(predicate, place, "__syncthreads_or()") != 0;
}

inline void __syncwarp(unsigned mask = 0xffffffffu, kit::cpu::Place place = KIT_CPU_HERE) {
    kit::cpu::warp_sync("__syncwarp()", mask, place);
}

inline void __threadfence() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
inline void __threadfence_block() {
    const kit::cpu::ScopeHint block(0);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
inline void __threadfence_system() {
    const kit::cpu::ScopeHint system(2);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

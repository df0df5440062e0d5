// Finds the memory space to which an address belongs, and converts addresses of shared memory as PTX does.
#pragma once

#include <host_defines.h>

#include <kit_cpu/cluster.hpp>
#include <kit_cpu/turn.hpp>

namespace kit::cpu {

enum class Space { global, shared, constant, local };

/// Returns the memory space of an address, for device code. Host memory outside of the thread's stack counts
/// as global memory.
Space space_of(const void* address);

}  // namespace kit::cpu

inline unsigned __isGlobal(const void* address) {
    return kit::cpu::space_of(address) == kit::cpu::Space::global;
}
inline unsigned __isShared(const void* address) {
    return kit::cpu::space_of(address) == kit::cpu::Space::shared;
}
inline unsigned __isConstant(const void* address) {
    return kit::cpu::space_of(address) == kit::cpu::Space::constant;
}
inline unsigned __isLocal(const void* address) {
    return kit::cpu::space_of(address) == kit::cpu::Space::local;
}

// As a PTX address, an address in shared memory is the offset from the start of the block's shared memory.
// Other addresses do not change.
inline size_t __cvta_generic_to_shared(const void* address) {
    return reinterpret_cast<size_t>(address) - reinterpret_cast<size_t>(kit::cpu::shared_memory);
}
inline void* __cvta_shared_to_generic(size_t address) {
    return const_cast<char*>(kit::cpu::shared_memory) + address;
}
inline size_t __cvta_generic_to_global(const void* address) {
    return reinterpret_cast<size_t>(address);
}
inline size_t __cvta_generic_to_constant(const void* address) {
    return reinterpret_cast<size_t>(address);
}
inline size_t __cvta_generic_to_local(const void* address) {
    return reinterpret_cast<size_t>(address);
}
inline void* __cvta_global_to_generic(size_t address) {
    return reinterpret_cast<void*>(address);
}
inline void* __cvta_constant_to_generic(size_t address) {
    return reinterpret_cast<void*>(address);
}
inline void* __cvta_local_to_generic(size_t address) {
    return reinterpret_cast<void*>(address);
}

// Describes memory for reports: allocations of CUDA's functions, named buffers, shared memory, and host
// memory.
#pragma once

#include <facts/finding.hpp>
#include <kit_cpu/layout.hpp>
#include <kit_cpu/thread.hpp>
#include <string>

#include "elements.hpp"

namespace kit::cpu {

/// The facts about an allocation that reports give.
struct AllocationFacts {
    std::size_t bytes = 0;
    const char* made_by = "";    ///< the function that allocated the memory, such as "cudaMalloc"
    unsigned number = 0;         ///< index of the call among those of that function
    Place place;                 ///< line of this call; unknown if it is not recorded
    HostCalls calls;             ///< the calls that led to the allocation, for memory of a library
    LayoutOf element = nullptr;  ///< the elements' layout, from the pointer's type
    bool registered = false;     ///< registered by cudaHostRegister: the memory itself belongs to the caller
    bool symbol = false;         ///< a `__device__` or `__constant__` variable
    bool device_heap = false;    ///< whether a kernel allocated the memory
};

facts::Memory memory_of(const AllocationFacts& allocation);

/// Returns the position `offset` bytes after the start of the allocation, or before it if negative. `width`:
/// bytes of the access.
facts::Memory place_in(const AllocationFacts& allocation, std::ptrdiff_t offset, std::size_t width);

facts::Memory named_buffer(const std::string& name, std::size_t bytes);
facts::Memory shared_piece(const std::string& name, std::size_t bytes);
facts::Memory host_block(std::size_t bytes, const char* made_by, Place place);
/// Describes a stack frame. `function` is empty if its name is unknown.
facts::Memory stack_frame(const std::string& function);
facts::Memory memory_of_kind(facts::Memory::Kind kind);

}  // namespace kit::cpu

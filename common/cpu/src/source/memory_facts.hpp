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
    const char* made_by = "";    ///< name of the function that allocated it, such as "cudaMalloc"
    unsigned number = 0;         ///< number of the call among all calls of that function
    Place place;                 ///< line of the call; unknown if it was not recorded
    LayoutOf element = nullptr;  ///< layout of the elements, from the type of the pointer
    bool registered = false;     ///< whether cudaHostRegister registered it, so the memory belongs to the
                                 ///< program
    bool symbol = false;         ///< whether it is a `__device__` or `__constant__` variable
    bool device_heap = false;    ///< whether a kernel allocated it, on the device's heap
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

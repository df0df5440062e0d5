// Pieces of memory as reports know them: allocations of the device, named buffers, shared memory, and the host's own.
#pragma once

#include <facts/finding.hpp>
#include <kit_cpu/layout.hpp>
#include <kit_cpu/thread.hpp>
#include <string>

#include "elements.hpp"

namespace kit::cpu {

/// The facts that reports give about memory that CUDA has allocated.
struct AllocationFacts {
    std::size_t bytes = 0;
    const char* made_by = "";    ///< the function that made it, e.g. "cudaMalloc"
    unsigned number = 0;         ///< the number of the call among those of that function
    Place place;                 ///< the line of the call, if known
    LayoutOf element = nullptr;  ///< the elements' layout, from the pointer's type
    bool registered = false;     ///< registered by cudaHostRegister: the memory itself belongs to the caller
    bool symbol = false;         ///< a `__device__` or `__constant__` variable
    bool device_heap = false;    ///< made by a kernel
};

facts::Memory memory_of(const AllocationFacts& allocation);

/// Returns the place `offset` bytes after its start, or before it. `width`: bytes of the access.
facts::Memory place_in(const AllocationFacts& allocation, std::ptrdiff_t offset, std::size_t width);

facts::Memory named_buffer(const std::string& name, std::size_t bytes);
facts::Memory shared_piece(const std::string& name, std::size_t bytes);
facts::Memory host_block(std::size_t bytes, const char* made_by, Place place);
/// The function may be unknown, and empty.
facts::Memory stack_frame(const std::string& function);
facts::Memory memory_of_kind(facts::Memory::Kind kind);

}  // namespace kit::cpu

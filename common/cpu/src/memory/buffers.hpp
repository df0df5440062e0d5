// Names for ranges of device memory, so that reports say `in` instead of an address.
#pragma once

#include <cstddef>
#include <string>

#include "source/elements.hpp"

namespace kit::cpu {

/// A range of memory that kernels can access: a named buffer or an allocation.
struct MemoryPiece {
    const char* begin = nullptr;
    const char* end = nullptr;  ///< null if no range contains the address
    int device = 0;             ///< device that owns the memory
    bool stream_ordered = false;

    bool holds(const char* address, std::size_t bytes) const {
        return address >= begin && address + bytes <= end;
    }
};

/// Returns the named buffer that contains the address, or otherwise the whole allocation. In an allocation
/// with named buffers, the memory between the buffers is a guard zone.
MemoryPiece find_piece(const char* address);

/// Returns the position of the address in its named buffer, or otherwise in its allocation.
LayoutPlace place_in_memory(const char* address);

/// Removes the names of all buffers in a range of memory that is being freed.
void forget_names(const char* begin, std::size_t bytes);

/// Returns the position of the address in or near a named buffer or allocation; unknown if none is near.
/// `width`: bytes of the access.
facts::Memory place_of_memory(const char* address, std::size_t width = 1);

}  // namespace kit::cpu

// Names for pieces of device memory, so that reports name `in` instead of an address.
#pragma once

#include <cstddef>
#include <string>

#include "source/elements.hpp"

namespace kit::cpu {

/// A piece of memory that kernels can access.
struct MemoryPiece {
    const char* begin = nullptr;
    const char* end = nullptr;  ///< null if the address belongs to no piece
    int device = 0;             ///< device of its allocation
    bool stream_ordered = false;

    bool holds(const char* address, std::size_t bytes) const {
        return address >= begin && address + bytes <= end;
    }
};

/// Returns the named buffer that holds the address, otherwise the whole allocation. In an allocation with named buffers, the memory between
/// them is a guard zone.
MemoryPiece find_piece(const char* address);

/// Returns the place of the address in the named buffer, or otherwise in the allocation.
LayoutPlace place_in_memory(const char* address);

/// Removes the names of all buffers in memory that is freed.
void forget_names(const char* begin, std::size_t bytes);

/// Returns the place of the address in a named buffer or an allocation, or near one; unknown if it is far from all. `width`: of the access.
facts::Memory place_of_memory(const char* address, std::size_t width = 1);

}  // namespace kit::cpu

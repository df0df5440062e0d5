// Names for pieces of device memory, so that reports speak of `in` and not of an address.
#pragma once

#include <cstddef>
#include <string>

#include "words/elements.hpp"

namespace kit::cpu {

/// A piece of memory that kernels may use.
struct MemoryPiece {
    const char* begin = nullptr;
    const char* end = nullptr;  ///< null: the address belongs to no piece
    int device = 0;             ///< of its allocation
    bool stream_ordered = false;

    bool holds(const char* address, std::size_t bytes) const {
        return address >= begin && address + bytes <= end;
    }
};

/// The named buffer, else the whole allocation, that holds the address. Within an allocation that has named buffers
/// only these count: what lies between them is guard zone.
MemoryPiece find_piece(const char* address);

/// Where the address lies in the named buffer, else in the allocation.
LayoutPlace place_in_memory(const char* address);

/// Forgets the names of all buffers in memory that is freed.
void forget_names(const char* begin, std::size_t bytes);

/// "`in[1]`", "`in[258]`, 4 bytes after the end of `in` (1028 bytes)", "`d_in[2]` of the 64 bytes allocated by cudaMalloc #1".
/// `width`: of the access.
std::string describe_memory(const char* address, std::size_t width = 1);

}  // namespace kit::cpu

// Where an address lies in a piece of memory, in the words of the source: `tile[3][0]`, `pair[2].y`, and bytes where nobody
// knows what the memory is made of.
#pragma once

#include <cstddef>
#include <kit_cpu/layout.hpp>
#include <string>

namespace kit::cpu {

/// A piece of memory as reports speak of it.
struct NamedPiece {
    std::string name;            ///< "tile", "d_in"; empty if it has none
    std::string whole;           ///< "`tile` (shared)", "the 64 bytes allocated by cudaMalloc #1"
    std::size_t bytes = 0;       ///< of all of it
    LayoutOf layout = nullptr;   ///< of the whole variable, or of one element where `is_pointer`
    bool is_pointer = false;     ///< to the first of elements
    std::string behind_element;  ///< " (shared)", " of the 64 bytes allocated by cudaMalloc #1"
    std::string with_size;       ///< "`tile` (shared, 128 bytes)"
};

/// What lies `offset` bytes behind the begin of the piece, or before it: "`tile[1]` (shared)", "byte 2 of `tile[1]` (shared)",
/// "`tile[32]`, right after the end of `tile` (shared, 128 bytes)", "`in[-1]`, 4 bytes before the start of `in`", "byte 4 of `raw`".
/// `width`: of the access; 1 where nobody knows.
std::string place_in(const NamedPiece& piece, std::ptrdiff_t offset, std::size_t width);

/// What was noted for this variable or key; null if nothing was.
LayoutOf layout_at(const void* begin);

/// Where an address lies in a piece of memory, for those who ask for no words.
struct LayoutPlace {
    LayoutOf layout = nullptr;  ///< of the piece, or of one of its elements; null: unknown
    std::ptrdiff_t offset = 0;  ///< from the begin of the piece
};

/// To how many bytes the type of what lies there is aligned, if an element or a member has exactly that width; otherwise 0.
std::size_t alignment_of(const LayoutPlace& place, std::size_t width);

}  // namespace kit::cpu

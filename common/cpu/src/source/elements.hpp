// Names the element at an address as the source does: `tile[3][0]`, `pair[2].y`.
#pragma once

#include <cstddef>
#include <facts/finding.hpp>
#include <kit_cpu/layout.hpp>
#include <string>

namespace kit::cpu {

/// The layout of a piece of memory: of a variable, or of the elements of an array.
struct Elements {
    LayoutOf layout =
        nullptr;  ///< layout of the whole variable, or of one element if `is_pointer`; null if unknown
    bool is_pointer = false;  ///< whether the memory is a number of elements, as behind a pointer
};

/// Adds the position `offset` bytes after the start of the piece, which can be outside of it. `width`: bytes
/// of the access; 1 if unknown.
facts::Memory place_in(facts::Memory piece, const Elements& elements, std::ptrdiff_t offset,
                       std::size_t width);

/// Returns the layout that was recorded for the variable at this address or for this key; null if there is
/// none.
LayoutOf layout_at(const void* begin);

/// The position of an address in a piece of memory.
struct LayoutPlace {
    LayoutOf layout = nullptr;  ///< layout of the piece, or of one of its elements; null if unknown
    std::ptrdiff_t offset = 0;  ///< offset in bytes from the start of the piece
};

/// Returns the alignment in bytes of the element or member at this position that has exactly this width; 0 if
/// there is none.
std::size_t alignment_of(const LayoutPlace& place, std::size_t width);

}  // namespace kit::cpu

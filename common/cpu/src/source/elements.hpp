// Names the element at an address in a piece of memory as the source does: `tile[3][0]`, `pair[2].y`.
#pragma once

#include <cstddef>
#include <facts/finding.hpp>
#include <kit_cpu/layout.hpp>
#include <string>

namespace kit::cpu {

/// The layout of a piece of memory.
struct Elements {
    LayoutOf layout =
        nullptr;  ///< the layout of the whole variable, or of one element if `is_pointer`; null: unknown
    bool is_pointer = false;  ///< whether it points to the first of several elements
};

/// Adds to the piece the place that is `offset` bytes after its start, which can be outside. `width`: bytes of the access; 1 if unknown.
facts::Memory place_in(facts::Memory piece, const Elements& elements, std::ptrdiff_t offset,
                       std::size_t width);

/// Returns the layout that was recorded for this variable or key; null if there is none.
LayoutOf layout_at(const void* begin);

/// The position of an address in a piece of memory, without words.
struct LayoutPlace {
    LayoutOf layout = nullptr;  ///< the layout of the piece, or of one of its elements; null: unknown
    std::ptrdiff_t offset = 0;  ///< bytes from the start of the piece
};

/// Returns the alignment in bytes of the type at that place, if an element or a member has exactly that width; otherwise 0.
std::size_t alignment_of(const LayoutPlace& place, std::size_t width);

}  // namespace kit::cpu

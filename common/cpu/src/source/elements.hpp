// Which element lies at an address of a piece of memory, as the source names it: `tile[3][0]`, `pair[2].y`.
#pragma once

#include <cstddef>
#include <facts/finding.hpp>
#include <kit_cpu/layout.hpp>
#include <string>

namespace kit::cpu {

/// What a piece of memory is made of.
struct Elements {
    LayoutOf layout =
        nullptr;  ///< the layout of the whole variable, or of one element if `is_pointer`; null: unknown
    bool is_pointer = false;  ///< whether it points to the first of several elements
};

/// Adds to the piece the place in it, or near it, that is `offset` bytes after its start. `width`: bytes of the access; 1 if unknown.
facts::Memory place_in(facts::Memory piece, const Elements& elements, std::ptrdiff_t offset,
                       std::size_t width);

/// What was noted for this variable or key; null if nothing was.
LayoutOf layout_at(const void* begin);

/// Where an address lies in a piece of memory, for those who ask for no words.
struct LayoutPlace {
    LayoutOf layout = nullptr;  ///< the layout of the piece, or of one of its elements; null: unknown
    std::ptrdiff_t offset = 0;  ///< bytes from the start of the piece
};

/// Returns the alignment in bytes of the type at that place, if an element or a member has exactly that width; otherwise 0.
std::size_t alignment_of(const LayoutPlace& place, std::size_t width);

}  // namespace kit::cpu

// Finds the element of an array or the member of a struct that contains a byte.
#include "elements.hpp"

#include <map>
#include <utility>

namespace kit::cpu {
namespace {

std::map<const void*, LayoutOf>& layouts() {
    static auto& all = *new std::map<const void*, LayoutOf>;  // filled before main() and never destroyed
    return all;
}

std::size_t bytes_of(const Layout& layout) {
    std::size_t bytes = layout.element;
    for (const std::size_t extent : layout.extents) bytes *= extent;
    return bytes;
}

/// Returns the member that contains the offset, and makes the offset relative to the member; null if there is
/// none.
const StructMember* member_at(const Layout& layout, std::ptrdiff_t& offset) {
    for (const StructMember& member : layout.members) {
        const std::ptrdiff_t into = offset - static_cast<std::ptrdiff_t>(member.offset);
        if (!member.name || into < 0 || into >= static_cast<std::ptrdiff_t>(bytes_of(member.layout())))
            continue;
        offset = into;
        return &member;
    }
    return nullptr;
}

/// A part of a variable, and the offset that is left within it.
struct Part {
    std::string name;
    std::size_t offset = 0;
};

/// Returns the indexes of an element, such as "[3][0]" for `float tile[32][33]`. The first index may be out
/// of bounds.
std::string indices(const std::vector<std::size_t>& extents, std::ptrdiff_t element) {
    std::ptrdiff_t each = 1;
    for (std::size_t i = 1; i < extents.size(); ++i) each *= static_cast<std::ptrdiff_t>(extents[i]);
    std::string text;
    for (std::size_t i = 0; i < extents.size() && each > 0; ++i) {
        std::ptrdiff_t index = element / each;
        if (index * each > element) --index;  // rounds down for elements before the start of the array
        text += "[" + std::to_string(index) + "]";
        element -= index * each;
        if (i + 1 < extents.size()) each /= static_cast<std::ptrdiff_t>(extents[i + 1]);
    }
    return text;
}

/// Returns the innermost part at the offset that is at least as wide as the access. Single bytes that a
/// program uses as a wider type are not elements.
Part part_at(std::string name, const Layout& layout, std::ptrdiff_t offset, std::size_t width) {
    const auto element = static_cast<std::ptrdiff_t>(layout.element);
    std::ptrdiff_t index = offset / element;
    if (index * element > offset) --index;
    if (!layout.extents.empty()) {
        if (element == 1 && width > 1 && offset >= 0) return {name, static_cast<std::size_t>(offset)};
        name += indices(layout.extents, index);
        offset -= index * element;
    }
    const bool is_whole = offset == 0 && width >= layout.element;
    if (const StructMember* const member = is_whole ? nullptr : member_at(layout, offset))
        return part_at(name + "." + member->name, member->layout(), offset, width);
    return {name, static_cast<std::size_t>(offset)};
}

Part part_of(const std::string& name, const Elements& elements, std::ptrdiff_t offset, std::size_t width) {
    if (!elements.is_pointer) return part_at(name, elements.layout(), offset, width);
    Layout array = elements.layout();
    array.extents.insert(array.extents.begin(), 0);
    return part_at(name, array, offset, width);
}

bool has_elements(const Elements& elements) {
    return elements.layout && (elements.is_pointer || !elements.layout().extents.empty());
}

void place_inside(facts::Memory& piece, const Elements& elements, std::ptrdiff_t offset, std::size_t width) {
    piece.position = facts::Memory::Position::inside;
    piece.byte = static_cast<std::uint64_t>(offset);
    if (!elements.layout) return;
    const Part part = part_of(piece.name, elements, offset, width);
    if (piece.name.empty()) {  // a whole element of memory without a name has only an index
        const bool whole_element = part.offset == 0 && !part.name.empty() && part.name.back() == ']';
        if (whole_element) piece.element = part.name.substr(1, part.name.size() - 2);
    } else if (part.name != piece.name || part.offset == 0) {
        piece.element = part.name;
        piece.byte = part.offset;
    }
}

void place_outside(facts::Memory& piece, const Elements& elements, std::ptrdiff_t offset) {
    if (!piece.name.empty() && has_elements(elements)) {
        const Part part = part_of(piece.name, elements, offset, 1);
        piece.element = part.name;
        piece.byte = part.offset;
    }
    const bool is_before = offset < 0;
    piece.position = is_before ? facts::Memory::Position::before : facts::Memory::Position::after;
    piece.distance =
        is_before ? static_cast<std::uint64_t>(-offset) : static_cast<std::uint64_t>(offset) - piece.bytes;
}

}  // namespace

bool note_layout(const void* begin, LayoutOf layout) {
    layouts()[begin] = layout;
    return true;
}

LayoutOf layout_at(const void* begin) {
    const auto found = layouts().find(begin);
    return found == layouts().end() ? nullptr : found->second;
}

std::size_t alignment_of(const LayoutPlace& place, std::size_t width) {
    const Layout* layout = place.layout ? &place.layout() : nullptr;
    for (std::ptrdiff_t offset = place.offset; layout && offset >= 0;) {
        offset %= static_cast<std::ptrdiff_t>(layout->element);
        if (offset == 0 && layout->element == width) return layout->alignment;
        const StructMember* const member = member_at(*layout, offset);
        layout = member ? &member->layout() : nullptr;
    }
    return 0;
}

facts::Memory place_in(facts::Memory piece, const Elements& elements, std::ptrdiff_t offset,
                       std::size_t width) {
    if (offset >= 0 && offset < static_cast<std::ptrdiff_t>(piece.bytes))
        place_inside(piece, elements, offset, width);
    else
        place_outside(piece, elements, offset);
    return piece;
}

}  // namespace kit::cpu

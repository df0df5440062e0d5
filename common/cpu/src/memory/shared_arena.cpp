// The shared memory of a block: its layout, and the guards after each variable.
#include "shared_arena.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "device/rounding.hpp"
#include "source/memory_facts.hpp"

namespace kit::cpu {
namespace {

constexpr std::size_t guard_bytes = 128;
constexpr std::size_t arena_alignment = 1024;
constexpr unsigned char guard_byte = 0x5A;
constexpr unsigned char fresh_byte = 0xCB;  // as a float -2.67e7, as an int -875836469, which are easy to
                                            // notice

}  // namespace

void SharedArena::reserve() {
    if (!memory_) {
        storage_.reset(static_cast<char*>(std::calloc(capacity + arena_alignment, 1)));
        if (!storage_) throw std::bad_alloc();
        memory_ = reinterpret_cast<char*>(
            round_up(reinterpret_cast<std::uintptr_t>(storage_.get()), arena_alignment));
    }
}

void SharedArena::reset(std::size_t dynamic) {
    reserve();
    pieces_.clear();
    views_.clear();
    end_ = asked_ = 0;
    dynamic_ = dynamic;
    if (dynamic) add(nullptr, "extern __shared__", dynamic, arena_alignment);
}

void SharedArena::add(const void* key, const char* name, std::size_t size, std::size_t align) {
    const std::size_t begin = round_up(end_, align);
    std::memset(memory_ + begin, fresh_byte, size);
    std::memset(memory_ + begin + size, guard_byte, guard_bytes);
    pieces_.push_back({key, name, begin, size});
    end_ = round_up<std::size_t>(begin + size + guard_bytes, 4);
    asked_ = round_up(asked_, align) + size;
}

void* SharedArena::variable(const void* key, const char* name, std::size_t size, std::size_t align) {
    for (const Piece& piece : pieces_)
        if (piece.key == key) return memory_ + piece.begin;
    if (end_ + align + size + guard_bytes > capacity) return nullptr;
    add(key, name, size, align);
    return memory_ + pieces_.back().begin;
}

/// Records a view of the dynamic part only once, even if views alternate, so that the list stays short.
void SharedArena::note_view(const View& view) {
    const auto same = [&](const View& other) {
        return other.layout == view.layout && std::strcmp(other.name, view.name) == 0;
    };
    views_.erase(std::remove_if(views_.begin(), views_.end(), same), views_.end());
    views_.push_back(view);
}

/// Returns the layout of a variable. For a dynamic part that is used as several arrays, the layout is
/// unknown, so positions are reported in bytes.
LayoutOf SharedArena::layout_of(const Piece& piece) const {
    return !piece.key && views_.size() == 1 ? views_[0].layout : layout_at(piece.key);
}

facts::Memory SharedArena::memory_of(const Piece& piece) const {
    const bool is_view = !piece.key && views_.size() == 1;
    return shared_piece(is_view ? views_[0].name : piece.name, piece.size);
}

const SharedArena::Piece* SharedArena::piece_before(const char* address) const {
    const Piece* before = nullptr;
    for (const Piece& piece : pieces_)
        if (memory_ + piece.begin <= address) before = &piece;
    return before;
}

LayoutPlace SharedArena::place_at(const char* address) const {
    const Piece* const piece = piece_before(address);
    if (!piece) return {};
    return {layout_of(*piece), address - (memory_ + piece->begin)};
}

facts::Memory SharedArena::memory_at(const char* address, std::size_t width) const {
    if (address < memory_ || address >= memory_ + capacity) return {};
    const Piece* const before = piece_before(address);
    if (pieces_.empty()) return memory_of_kind(facts::Memory::Kind::no_shared);
    if (!before) return memory_of_kind(facts::Memory::Kind::before_shared);
    return place_in(memory_of(*before), {layout_of(*before), false}, address - (memory_ + before->begin),
                    width);
}

facts::Memory SharedArena::memory_after(const char* address) const {
    if (pieces_.empty()) return {};
    return place_in(memory_of(pieces_[0]), {layout_of(pieces_[0]), false}, address - memory_, 1);
}

facts::Memory SharedArena::damaged() const {
    unsigned char whole[guard_bytes];
    std::memset(whole, guard_byte, guard_bytes);
    for (const Piece& piece : pieces_)
        if (std::memcmp(memory_ + piece.begin + piece.size, whole, guard_bytes) != 0)
            return shared_piece(piece.name, piece.size);
    return {};
}

}  // namespace kit::cpu

// The shared memory of one block: first the dynamic part, then each `__shared__` variable in the order in which the block first reaches
// them.
//
// After every piece there is a guard of 128 bytes (32 banks of 4 bytes, so that bank numbers are the same as on the device). A new block
// finds a pattern instead of the previous block's values.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <kit_cpu/layout.hpp>
#include <kit_cpu/turn.hpp>
#include <memory>
#include <string>
#include <vector>

#include "source/elements.hpp"

namespace kit::cpu {

class SharedArena {
  public:
    /// Prepares the memory for a new block, with `dynamic` bytes for `extern __shared__`.
    void reset(std::size_t dynamic);

    /// Allocates the memory, which reset() otherwise does.
    void reserve();

    void* dynamic() { return memory_; }
    /// Returns the dynamic part with this name and layout. A block may have several views of it.
    void* dynamic_as(const char* name, LayoutOf layout) {
        if (views_.empty() || views_.back().name != name || views_.back().layout != layout)
            note_view({name, layout});
        return memory_;
    }
    std::size_t dynamic_bytes() const { return dynamic_; }

    /// Returns the variable known by `key`, made on first use.
    void* variable(const void* key, const char* name, std::size_t size, std::size_t align);

    /// Returns the bytes asked for so far, guards not counted.
    std::size_t used() const { return asked_; }

    /// Returns whether the address is in this memory, used or not.
    bool holds(const char* address) const {
        return memory_ && address >= memory_ && address < memory_ + capacity;
    }

    /// Returns whether all these bytes are in one piece.
    [[gnu::always_inline]] bool owns(const char* address, std::size_t bytes) const {
        const auto offset = static_cast<std::size_t>(address - memory_);
        for (const Piece& piece : pieces_)  // a block has few pieces
            if (offset >= piece.begin && offset + bytes <= piece.begin + piece.size) return true;
        return false;
    }

    /// Returns the place of the address in a variable, or after the previous variable; unknown for other memory. `width`: bytes of the
    /// access.
    facts::Memory memory_at(const char* address, std::size_t width = 1) const;

    LayoutPlace place_at(const char* address) const;

    /// Returns the place of an address before this memory; unknown if there is no variable.
    facts::Memory memory_after(const char* address) const;

    const char* begin() const { return memory_; }
    std::size_t extent() const { return end_; }  ///< includes the guards

    /// Returns the piece whose guard was written; unknown if all are whole.
    facts::Memory damaged() const;

    static constexpr std::size_t capacity =
        most_shared_memory;  ///< space for 227 KB of variables and their guards

  private:
    struct Piece {
        const void* key;
        const char* name;
        std::size_t begin, size;
    };
    struct View {
        const char* name;
        LayoutOf layout;
    };
    void add(const void* key, const char* name, std::size_t size, std::size_t align);
    void note_view(const View& view);
    /// Returns the last one that begins at the address or before it; null if none does.
    const Piece* piece_before(const char* address) const;
    LayoutOf layout_of(const Piece& piece) const;
    facts::Memory memory_of(const Piece& piece) const;

    struct Free {
        void operator()(char* storage) const { std::free(storage); }
    };
    std::unique_ptr<char, Free> storage_;  ///< costs only the pages that are used; few kernels use all
    char* memory_ = nullptr;               ///< aligned start of the storage
    std::vector<Piece> pieces_;
    std::vector<View> views_;  ///< views of the dynamic part
    std::size_t end_ = 0, dynamic_ = 0, asked_ = 0;
};

}  // namespace kit::cpu

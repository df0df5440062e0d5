// The shared memory of one block. The arena contains the dynamic part, then each `__shared__` variable in the
// order in which the block first uses them.
//
// A guard of 128 bytes follows every variable. The guard covers all 32 banks of 4 bytes, so bank numbers are
// the same as on the device. A new block finds a pattern in its shared memory instead of the previous block's
// values.
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
    /// Prepares the memory for a new block with `dynamic` bytes for `extern __shared__` arrays.
    void reset(std::size_t dynamic);

    /// Allocates the memory now; otherwise reset() does it.
    void reserve();

    void* dynamic() { return memory_; }
    /// Returns the address of the dynamic part, and records the name and the layout with which the block uses
    /// it. A block may use several.
    void* dynamic_as(const char* name, LayoutOf layout) {
        if (views_.empty() || views_.back().name != name || views_.back().layout != layout)
            note_view({name, layout});
        return memory_;
    }
    std::size_t dynamic_bytes() const { return dynamic_; }

    /// Returns the address of the variable with this key. The first call for a key creates the variable.
    void* variable(const void* key, const char* name, std::size_t size, std::size_t align);

    /// Returns the size of all variables so far in bytes, without guards.
    std::size_t used() const { return asked_; }

    /// Returns whether the address is in this memory, including unused parts.
    bool holds(const char* address) const {
        return memory_ && address >= memory_ && address < memory_ + capacity;
    }

    /// Returns whether all of these bytes are in one variable.
    [[gnu::always_inline]] bool owns(const char* address, std::size_t bytes) const {
        const auto offset = static_cast<std::size_t>(address - memory_);
        for (const Piece& piece : pieces_)  // the search is linear, because a block has few variables
            if (offset >= piece.begin && offset + bytes <= piece.begin + piece.size) return true;
        return false;
    }

    /// Returns the position of the address in a variable, or in the guard after one; unknown for other
    /// memory. `width`: bytes of the access.
    facts::Memory memory_at(const char* address, std::size_t width = 1) const;

    LayoutPlace place_at(const char* address) const;

    /// Returns the position of an address below this memory, relative to the first variable; unknown if there
    /// is no variable.
    facts::Memory memory_after(const char* address) const;

    const char* begin() const { return memory_; }
    std::size_t extent() const { return end_; }  ///< size in bytes, including the guards

    /// Returns the variable whose guard was overwritten; unknown if all guards are intact.
    facts::Memory damaged() const;

    static constexpr std::size_t capacity =
        most_shared_memory;  ///< space for 227 KB of variables, and for their guards

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
    /// Returns the last variable that begins at or before the address; null if there is none.
    const Piece* piece_before(const char* address) const;
    LayoutOf layout_of(const Piece& piece) const;
    facts::Memory memory_of(const Piece& piece) const;

    struct Free {
        void operator()(char* storage) const { std::free(storage); }
    };
    std::unique_ptr<char, Free> storage_;  ///< uses physical memory only for the pages that are touched,
                                           ///< which are few for most kernels
    char* memory_ = nullptr;               ///< aligned start of the storage
    std::vector<Piece> pieces_;
    std::vector<View> views_;  ///< views of the dynamic part
    std::size_t end_ = 0, dynamic_ = 0, asked_ = 0;
};

}  // namespace kit::cpu

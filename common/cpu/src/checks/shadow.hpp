// Shadow memory: for every byte that kernels may access, the records of the race check and one "initialised"
// bit.
//
// The shadow of a region is reserved but not allocated. The operating system provides a page when a kernel
// accesses memory that this page describes.
#pragma once

#include <cstddef>

#include "byte_cells.hpp"

namespace kit::cpu {

class ShadowRegion {
  public:
    /// Creates the shadow of a region. At most `most_unpacked` words have unpacked byte cells; other words
    /// keep them packed. A small number is enough, because each thread runs until its next barrier, so it
    /// usually returns to a word soon.
    ShadowRegion(const char* begin, std::size_t bytes, std::size_t most_unpacked = 1024);
    ~ShadowRegion();
    ShadowRegion(const ShadowRegion&) = delete;
    ShadowRegion& operator=(const ShadowRegion&) = delete;

    bool holds(const char* address) const { return static_cast<std::size_t>(address - begin_) < bytes_; }

    /// Returns whether the address is in the shadow itself, not in the region.
    bool lies_in(const char* address) const;

    /// Returns the cell of the word that contains the address. The records in this cell are valid only if the
    /// current work made them.
    Cell& word(const char* address) { return cells_[index(address)]; }

    /// Returns the cells of the four bytes of the word that contains the address, if it was split. The cells
    /// are valid until the next call.
    Cell* bytes(const char* address) { return bytes_of_.use(cells_, index(address)); }

    /// Splits a word: each byte gets its own cell with a copy of the word's records.
    Cell* split(const char* address) { return bytes_of_.split(cells_, index(address)); }

    /// Deletes the records of the word. Later records belong to this work.
    void clear_word(const char* address, WorkId id) {
        Cell& cell = word(address);
        if (cell.state() == State::spilled) bytes_of_.forget(index(address));
        cell.restart(id);
    }

    [[gnu::always_inline]] bool initialised(const char* address, std::size_t bytes) const {
        const auto first = static_cast<std::size_t>(address - begin_);
        if (first % 8 + bytes > 8) return all_initialised(first, bytes);
        const unsigned mask = ((1u << bytes) - 1) << first % 8;
        return (bits_[first / 8] & mask) == mask;
    }
    [[gnu::always_inline]] void set_initialised(const char* address, std::size_t bytes, bool value) {
        const auto first = static_cast<std::size_t>(address - begin_);
        if (first % 8 + bytes > 8 || !value) return set_all_initialised(first, bytes, value);
        const auto mask = static_cast<unsigned char>(((1u << bytes) - 1) << first % 8);
        if ((bits_[first / 8] & mask) != mask) bits_[first / 8] |= mask;
    }
    void copy_initialised(const char* to, const char* from, std::size_t bytes);

    /// Deletes all records of the region, because the work numbers restart.
    void clear_records();

    /// Returns the size of the existing shadow pages for these bytes.
    std::size_t resident_bytes(const char* begin, std::size_t bytes) const;

  private:
    bool all_initialised(std::size_t first, std::size_t bytes) const;
    void set_all_initialised(std::size_t first, std::size_t bytes, bool value);
    std::size_t index(const char* address) const { return static_cast<std::size_t>(address - begin_) / 4; }

    const char* begin_;
    std::size_t bytes_;
    Cell* cells_;
    unsigned char* bits_;
    ByteCells bytes_of_;
};

}  // namespace kit::cpu

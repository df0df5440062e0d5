// The cells of single bytes, for words that are accessed in smaller pieces.
//
// The race check works with unpacked byte cells, which only the most recently used words have. When one more
// word needs them, another word is packed into the 28 bytes of its own cell (packing.hpp). So memory that is
// accessed byte by byte does not need more shadow memory than memory that is accessed in words. A few words
// have bytes that are too different to be packed, and these are kept in a map.
#pragma once

#include <array>
#include <cstddef>
#include <unordered_map>

#include "record.hpp"

namespace kit::cpu {

/// The byte cells of a region's words, which are identified by their numbers. `cells` is the array of the
/// cells of all words.
class ByteCells {
  public:
    /// Creates space for this many unpacked words, rounded up to a power of two.
    explicit ByteCells(std::size_t most_unpacked);
    ~ByteCells();
    ByteCells(const ByteCells&) = delete;
    ByteCells& operator=(const ByteCells&) = delete;

    /// Returns the cells of the four bytes of a word that was split. The cells are valid until the next call.
    Cell* use(Cell* cells, std::size_t word) {
        Unpacked& place = place_of(word);
        return place.number == word + 1 ? place.bytes : exchange(cells, word);
    }

    /// Splits a word into bytes. Each byte gets a copy of the word's records.
    Cell* split(Cell* cells, std::size_t word);

    /// Deletes the byte cells of a spilled word.
    void forget(std::size_t word) { spilled_.erase(word); }
    void forget_all() { spilled_.clear(); }

    /// Returns how many bytes of memory this object uses for these words.
    std::size_t resident_bytes(std::size_t first, std::size_t words) const;

  private:
    struct Unpacked {
        std::size_t number;  ///< number of the word plus 1; 0: the place is free
        Cell bytes[4];
    };
    /// Returns the place of a word in the table. Neighbouring words have different places, and so do words
    /// whose distance is a power of two, as in a grid-stride loop.
    Unpacked& place_of(std::size_t word) {
        return places_[(word ^ word >> shift_) & ((std::size_t{1} << shift_) - 1)];
    }
    std::size_t places_bytes() const { return sizeof(Unpacked) << shift_; }

    Cell* exchange(Cell* cells, std::size_t word);
    void make_room(Cell* cells, Unpacked& place);

    unsigned shift_ = 0;
    Unpacked* places_;
    std::unordered_map<std::size_t, std::array<Cell, 4>> spilled_;
};

}  // namespace kit::cpu

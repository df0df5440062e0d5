// The cells of single bytes, for words that are accessed in smaller pieces.
//
// Only the most recently used words have unpacked byte cells, which the race checker works on. A word that makes room for another is packed
// into the 28 bytes of its own cell (packing.hpp), so memory that is accessed byte by byte needs no more shadow than memory that is
// accessed in words. The few words whose bytes are too different to be packed are kept in a map.
#pragma once

#include <array>
#include <cstddef>
#include <unordered_map>

#include "record.hpp"

namespace kit::cpu {

/// Manages the words of a region by their numbers. `cells` are the cells of all words.
class ByteCells {
  public:
    /// At most this many words, rounded up to a power of two, can be unpacked at a time.
    explicit ByteCells(std::size_t most_unpacked);
    ~ByteCells();
    ByteCells(const ByteCells&) = delete;
    ByteCells& operator=(const ByteCells&) = delete;

    /// Returns the cells of the four bytes of a word that is not whole; until the next call.
    Cell* use(Cell* cells, std::size_t word) {
        Unpacked& place = place_of(word);
        return place.number == word + 1 ? place.bytes : exchange(cells, word);
    }

    /// Splits a whole word into bytes, each with the records of the word.
    Cell* split(Cell* cells, std::size_t word);

    /// Deletes a spilled word that is not needed any longer.
    void forget(std::size_t word) { spilled_.erase(word); }
    void forget_all() { spilled_.clear(); }

    /// Returns the bytes of memory that this object uses for these words.
    std::size_t resident_bytes(std::size_t first, std::size_t words) const;

  private:
    struct Unpacked {
        std::size_t number;  ///< number of the word, counted from 1; 0: the place is free
        Cell bytes[4];
    };
    /// Returns the place of a word. Neighbouring words have different places, and so do words a power of two apart, as in a grid-stride
    /// loop.
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

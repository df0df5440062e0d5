// The cells of single bytes, for words that are touched in smaller pieces.
//
// Only the words that were used last have them unpacked, so that the race checker can work on them. A word that must
// make room is packed into the 28 bytes of its own cell (packing.hpp): memory that is touched byte by byte needs no more
// shadow than memory that is touched in words. The few whose bytes are too different for that are spilled, as they are.
#pragma once

#include <array>
#include <cstddef>
#include <unordered_map>

#include "record.hpp"

namespace kit::cpu {

/// The region's words are numbered; `cells` are the cells of all of them.
class ByteCells {
  public:
    /// So many words (rounded up to a power of two) may have them unpacked at a time.
    explicit ByteCells(std::size_t most_unpacked);
    ~ByteCells();
    ByteCells(const ByteCells&) = delete;
    ByteCells& operator=(const ByteCells&) = delete;

    /// Returns the cells of the four bytes of a word that is not whole; until the next call.
    Cell* use(Cell* cells, std::size_t word) {
        Unpacked& place = place_of(word);
        return place.number == word + 1 ? place.bytes : exchange(cells, word);
    }

    /// Makes a whole word one of bytes, each with the records of the word.
    Cell* split(Cell* cells, std::size_t word);

    /// The spilled word will never be asked for again.
    void forget(std::size_t word) { spilled_.erase(word); }
    void forget_all() { spilled_.clear(); }

    /// Bytes that are in use here for these words.
    std::size_t resident_bytes(std::size_t first, std::size_t words) const;

  private:
    struct Unpacked {
        std::size_t number;  ///< of the word, from 1; 0: nobody's place
        Cell bytes[4];
    };
    /// Neighbours have different places, and so have words that lie a power of two apart, as a grid's threads jump.
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

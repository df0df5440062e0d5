// Manages the words that have unpacked byte cells, and packs the byte cells of all other words.
#include "byte_cells.hpp"

#include <algorithm>

#include "packing.hpp"
#include "pages.hpp"

namespace kit::cpu {

ByteCells::ByteCells(std::size_t most_unpacked) {
    while (std::size_t{1} << shift_ < most_unpacked) ++shift_;
    places_ = static_cast<Unpacked*>(reserve_pages(places_bytes()));
}

ByteCells::~ByteCells() {
    release_pages(places_, places_bytes());
}

Cell* ByteCells::split(Cell* cells, std::size_t word) {
    Unpacked& place = place_of(word);
    if (place.number != word + 1) make_room(cells, place);
    place.number = word + 1;
    std::fill(place.bytes, place.bytes + 4, cells[word]);
    cells[word].set(State::unpacked);
    return place.bytes;
}

Cell* ByteCells::exchange(Cell* cells, std::size_t word) {
    Unpacked& place = place_of(word);
    make_room(cells, place);
    place.number = word + 1;
    if (cells[word].state() == State::packed) {
        unpack(cells[word], place.bytes);
    } else {
        const auto found = spilled_.find(word);
        std::copy(found->second.begin(), found->second.end(), place.bytes);
        spilled_.erase(found);
    }
    cells[word].set(State::unpacked);
    return place.bytes;
}

/// Frees an unpacked place by packing its word. If the word has been cleared in the meantime, its bytes are
/// not needed.
void ByteCells::make_room(Cell* cells, Unpacked& place) {
    if (!place.number) return;
    const std::size_t word = place.number - 1;
    if (cells[word].state() != State::unpacked) return;
    if (pack(place.bytes, cells[word])) return cells[word].set(State::packed);
    cells[word].set(State::spilled);
    std::copy(place.bytes, place.bytes + 4, spilled_[word].begin());
}

std::size_t ByteCells::resident_bytes(std::size_t first, std::size_t words) const {
    const auto asked_for = [&](std::size_t word) { return word - first < words; };
    // The size of a node of the map in bytes: the value, a link, the overhead of malloc(), and a share of the
    // hash table.
    const std::size_t node = sizeof(decltype(spilled_)::value_type) + 3 * sizeof(void*);
    std::size_t bytes = 0;
    for (const auto& [word, cells] : spilled_) bytes += asked_for(word) ? node : 0;
    for (const Unpacked* place = places_; place < places_ + (std::size_t{1} << shift_); ++place)
        bytes += place->number && asked_for(place->number - 1) ? sizeof(Unpacked) : 0;
    return bytes;
}

}  // namespace kit::cpu

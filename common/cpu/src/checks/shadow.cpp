// Shadow memory: reserves it, and reads and writes its "initialised" bits.
#include "shadow.hpp"

#include <cstring>
#include <vector>

#include "pages.hpp"

namespace kit::cpu {
namespace {

std::size_t cell_bytes(std::size_t bytes) {
    return (bytes / 4 + 1) * sizeof(Cell);
}
std::size_t bit_bytes(std::size_t bytes) {
    return bytes / 8 + 1;
}

}  // namespace

ShadowRegion::ShadowRegion(const char* begin, std::size_t bytes, std::size_t most_unpacked)
    : begin_(begin),
      bytes_(bytes),
      cells_(static_cast<Cell*>(reserve_pages(cell_bytes(bytes)))),
      bits_(static_cast<unsigned char*>(reserve_pages(bit_bytes(bytes)))),
      bytes_of_(most_unpacked) {}

ShadowRegion::~ShadowRegion() {
    release_pages(cells_, cell_bytes(bytes_));
    release_pages(bits_, bit_bytes(bytes_));
}

bool ShadowRegion::lies_in(const char* address) const {
    return static_cast<std::size_t>(address - reinterpret_cast<const char*>(cells_)) < cell_bytes(bytes_) ||
           static_cast<std::size_t>(address - reinterpret_cast<const char*>(bits_)) < bit_bytes(bytes_);
}

bool ShadowRegion::all_initialised(std::size_t first, std::size_t bytes) const {
    for (std::size_t i = first; i < first + bytes;) {
        if (i % 8 == 0 && i + 8 <= first + bytes) {
            if (bits_[i / 8] != 0xFF) return false;
            i += 8;
        } else {
            if (!(bits_[i / 8] >> i % 8 & 1)) return false;
            ++i;
        }
    }
    return true;
}

void ShadowRegion::set_all_initialised(std::size_t first, std::size_t bytes, bool value) {
    std::size_t i = first;
    const std::size_t end = i + bytes;
    const auto set_one = [&] {
        const auto bit = static_cast<unsigned char>(1u << i % 8);
        bits_[i / 8] = static_cast<unsigned char>(value ? bits_[i / 8] | bit : bits_[i / 8] & ~bit);
        ++i;
    };
    while (i < end && i % 8) set_one();
    std::size_t whole = (end - i) / 8;
    if (!value && whole > 16 * page_bytes) {  // gives a large range back to the operating system, because new
                                              // pages contain zeros
        const std::size_t first = (i / 8 + page_bytes - 1) / page_bytes * page_bytes,
                          last = (i / 8 + whole) / page_bytes * page_bytes;
        std::memset(bits_ + i / 8, 0, first - i / 8);
        forget_pages(bits_ + first, last - first);
        std::memset(bits_ + last, 0, i / 8 + whole - last);
    } else {
        std::memset(bits_ + i / 8, value ? 0xFF : 0, whole);
    }
    i += whole * 8;
    while (i < end) set_one();
}

void ShadowRegion::copy_initialised(const char* to, const char* from, std::size_t bytes) {
    const auto first_to = static_cast<std::size_t>(to - begin_),
               first_from = static_cast<std::size_t>(from - begin_);
    if (first_to % 8 == 0 && first_from % 8 == 0) {
        std::memmove(bits_ + first_to / 8, bits_ + first_from / 8, bytes / 8);
        for (std::size_t i = bytes / 8 * 8; i < bytes; ++i)
            set_initialised(to + i, 1, initialised(from + i, 1));
        return;
    }
    std::vector<bool> copy(bytes);
    for (std::size_t i = 0; i < bytes; ++i) copy[i] = initialised(from + i, 1);
    for (std::size_t i = 0; i < bytes; ++i) set_initialised(to + i, 1, copy[i]);
}

void ShadowRegion::clear_records() {
    forget_pages(cells_, cell_bytes(bytes_));
    bytes_of_.forget_all();
}

std::size_t ShadowRegion::resident_bytes(const char* begin, std::size_t bytes) const {
    const std::size_t first = index(begin), words = (bytes + 3) / 4;
    return resident_pages(cells_ + first, words * sizeof(Cell)) +
           resident_pages(bits_ + first / 2, words / 2) + bytes_of_.resident_bytes(first, words);
}

}  // namespace kit::cpu

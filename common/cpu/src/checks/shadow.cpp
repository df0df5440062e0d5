// Shadow memory: reservation and the bits.
#include "shadow.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace kit::cpu {
namespace {

constexpr std::size_t page = 4096;

void* reserve(std::size_t bytes) {
    void* memory =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) return memory;
    std::fprintf(stderr,
                 "kit: the checks need %zu MiB of address space, which this system refuses; KIT_CHECKS=0 "
                 "runs without them.\n",
                 bytes >> 20);
    std::exit(2);
}

std::size_t cell_bytes(std::size_t bytes) {
    return (bytes / 4 + 1) * sizeof(Cell);
}
std::size_t bit_bytes(std::size_t bytes) {
    return bytes / 8 + 1;
}

std::size_t count_resident(void* memory, std::size_t bytes) {
    std::vector<unsigned char> present((bytes + page - 1) / page);
    if (mincore(memory, bytes, present.data()) != 0) return 0;
    return page * static_cast<std::size_t>(
                      std::count_if(present.begin(), present.end(), [](unsigned char p) { return p & 1; }));
}

}  // namespace

ShadowRegion::ShadowRegion(const char* begin, std::size_t bytes)
    : begin_(begin),
      bytes_(bytes),
      cells_(static_cast<Cell*>(reserve(cell_bytes(bytes)))),
      bits_(static_cast<unsigned char*>(reserve(bit_bytes(bytes)))) {}

ShadowRegion::~ShadowRegion() {
    munmap(cells_, cell_bytes(bytes_));
    munmap(bits_, bit_bytes(bytes_));
}

bool ShadowRegion::lies_in(const char* address) const {
    return static_cast<std::size_t>(address - reinterpret_cast<const char*>(cells_)) < cell_bytes(bytes_) ||
           static_cast<std::size_t>(address - reinterpret_cast<const char*>(bits_)) < bit_bytes(bytes_);
}

Cell& ShadowRegion::byte(const char* address) {
    const auto offset = static_cast<std::size_t>(address - begin_);
    auto& cells = byte_pages_[offset / page];
    if (!cells) cells = std::make_unique<Cell[]>(page);
    return cells[offset % page];
}

bool ShadowRegion::initialised(const char* address, std::size_t bytes) const {
    const auto first = static_cast<std::size_t>(address - begin_);
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

void ShadowRegion::set_initialised(const char* address, std::size_t bytes, bool value) {
    auto i = static_cast<std::size_t>(address - begin_);
    const std::size_t end = i + bytes;
    const auto set_one = [&] {
        const auto bit = static_cast<unsigned char>(1u << i % 8);
        bits_[i / 8] = static_cast<unsigned char>(value ? bits_[i / 8] | bit : bits_[i / 8] & ~bit);
        ++i;
    };
    while (i < end && i % 8) set_one();
    std::size_t whole = (end - i) / 8;
    if (!value && whole > 16 * page) {  // give large pieces back to the system: they read as zero
        const std::size_t first = (i / 8 + page - 1) / page * page, last = (i / 8 + whole) / page * page;
        std::memset(bits_ + i / 8, 0, first - i / 8);
        madvise(bits_ + first, last - first, MADV_DONTNEED);
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
    madvise(cells_, cell_bytes(bytes_), MADV_DONTNEED);
    byte_pages_.clear();
}

std::size_t ShadowRegion::resident_bytes() const {
    return count_resident(cells_, cell_bytes(bytes_)) + count_resident(bits_, bit_bytes(bytes_)) +
           byte_pages_.size() * page * sizeof(Cell);
}

}  // namespace kit::cpu

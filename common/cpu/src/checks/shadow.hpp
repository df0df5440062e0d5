// Shadow memory: for every byte that kernels may touch, the records of the race checker and one "initialised" bit.
//
// A region's shadow is reserved, not allocated: pages come into being when a kernel touches what they describe.
#pragma once

#include <cstddef>
#include <memory>
#include <unordered_map>

#include "record.hpp"

namespace kit::cpu {

class ShadowRegion {
  public:
    ShadowRegion(const char* begin, std::size_t bytes);
    ~ShadowRegion();
    ShadowRegion(const ShadowRegion&) = delete;
    ShadowRegion& operator=(const ShadowRegion&) = delete;

    bool holds(const char* address) const { return static_cast<std::size_t>(address - begin_) < bytes_; }

    /// Is the address in the shadow itself?
    bool lies_in(const char* address) const;

    /// Cell of the word that holds the address. Its records count only if its owner is the current one.
    Cell& word(const char* address) { return cells_[static_cast<std::size_t>(address - begin_) / 4]; }

    /// Cells of single bytes, for words that are accessed byte by byte.
    Cell& byte(const char* address);

    bool initialised(const char* address, std::size_t bytes) const;
    void set_initialised(const char* address, std::size_t bytes, bool value);
    void copy_initialised(const char* to, const char* from, std::size_t bytes);

    /// Forgets all records (the owner numbers have come round).
    void clear_records();

    /// Bytes of shadow that exist; for the memory claim in the documentation.
    std::size_t resident_bytes() const;

  private:
    const char* begin_;
    std::size_t bytes_;
    Cell* cells_;
    unsigned char* bits_;
    std::unordered_map<std::size_t, std::unique_ptr<Cell[]>> byte_pages_;
};

}  // namespace kit::cpu

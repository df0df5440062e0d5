// The blocks of the host's heap: the size of each, the code that allocated it, and whether it has been freed.
//
// The executor's library defines malloc, related functions and operator new (host_allocation.cpp), so every
// allocation of a program is recorded. These functions request 16 more bytes from the C library, and store a
// label in the last bytes of the result: the number of requested bytes, and the caller. A bit map, with one
// bit for 16 bytes, marks where blocks begin. The C library still chooses addresses and frees blocks. The
// recorded size is exact; malloc_usable_size rounds up, so an overrun by a few bytes would be missed. No
// function here allocates or locks, so the records in a forked child are valid. Callers are translated to
// source lines only for a report.
//
// If a program has a different allocator (that of a sanitizer, or a preloaded one), the program calls that
// allocator. In that case, no block is known, and no report mentions blocks.
#pragma once

#include <cstddef>
#include <facts/finding.hpp>
#include <kit_cpu/thread.hpp>
#include <string>

namespace kit::cpu {

enum class Maker : unsigned char {
    malloc,
    calloc,
    realloc,
    aligned_alloc,
    posix_memalign,
    operator_new,
    operator_new_array
};

/// Size in bytes of the label at the end of each block. The C library allocates this many bytes in addition.
constexpr std::size_t label_bytes = 16;

struct HostBlock {
    const char* begin = nullptr;  ///< null if there is no block
    std::size_t bytes = 0;
    Maker maker{};
    const void* caller = nullptr;  ///< return address of the call that allocated the block

    const char* end() const { return begin + bytes; }
};

/// Returns the requested size of a block, which malloc_usable_size returns so that no program writes over the
/// label after the requested bytes.
std::size_t bytes_that_may_be_used(void* begin);

facts::Memory memory_of(const HostBlock& block);

/// Returns the existing block that contains the address. The block includes the bytes at its end that round
/// up its size.
HostBlock find_host_block(const void* address);

/// Detects whether a block is freed during the lifetime of the object.
class BlockWatch {
  public:
    explicit BlockWatch(const HostBlock& block);
    ~BlockWatch();
    BlockWatch(const BlockWatch&) = delete;
    BlockWatch& operator=(const BlockWatch&) = delete;

    bool freed() const;
    Place freed_at() const;
    const HostBlock& block() const { return block_; }

  private:
    HostBlock block_;
    struct Watched* watched_ = nullptr;
};

}  // namespace kit::cpu

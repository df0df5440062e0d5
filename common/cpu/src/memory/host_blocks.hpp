// The blocks of the host's heap: the size of each, the code that allocated it, and whether it was freed since.
//
// The executor's library defines malloc, related functions and operator new (host_allocation.cpp), so every allocation of a program passes
// through it. It requests 16 more bytes from the C library, and writes a label into the very end of the result: the number of requested
// bytes, and the caller. A map with one bit for 16 bytes marks the starts of blocks. So the C library still chooses addresses and frees
// blocks. The size is exact: malloc_usable_size rounds up, and would miss an overrun by a few bytes. Nothing here allocates or locks, so a
// forked child finds everything intact. Sizes and lines become words only for a report.
//
// A program with its own allocator (that of a sanitizer, or a preloaded one) calls that one. Then no block is known, and no report mentions
// any.
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

/// Size of a block's label, in addition to the block's own bytes.
constexpr std::size_t label_bytes = 16;

struct HostBlock {
    const char* begin = nullptr;  ///< null if there is no block
    std::size_t bytes = 0;
    Maker maker{};
    const void* caller = nullptr;  ///< instruction of the call

    const char* end() const { return begin + bytes; }
};

/// Returns the result of malloc_usable_size: the requested size of a block, so that no program writes over the label.
std::size_t bytes_that_may_be_used(void* begin);

facts::Memory memory_of(const HostBlock& block);

/// Returns the live block that holds the address, including the bytes at its end that round its size up.
HostBlock find_host_block(const void* address);

/// Detects whether a block is freed during the object's lifetime.
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

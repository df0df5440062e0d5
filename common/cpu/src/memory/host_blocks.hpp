// The blocks of the host's heap: how many bytes each has, who asked for it, and whether it was freed since.
//
// The executor's library defines malloc and its relatives and operator new (host_allocation.cpp), so that every allocation of
// a program passes through it. It asks the C library for 16 bytes more and writes a label into them, at the very end of
// what it got: the number of requested bytes, and the caller. A map with one bit for 16 bytes says where blocks begin.
// Thus addresses, and who may free them, stay the C library's; the size is exact (malloc_usable_size rounds up, and an
// overrun by a few bytes would be missed), nothing here allocates, and nothing locks: a forked child finds all in
// order. Sizes and lines become words only for a report.
//
// A program with an allocator of its own (a sanitizer's, or preloaded) calls that one: then no block is known, and nothing
// is said about any.
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

/// Bytes that a block needs for its label, in addition to its own.
constexpr std::size_t label_bytes = 16;

struct HostBlock {
    const char* begin = nullptr;  ///< null: there is none
    std::size_t bytes = 0;
    Maker maker{};
    const void* caller = nullptr;  ///< the instruction that called

    const char* end() const { return begin + bytes; }
};

/// Returns the result of malloc_usable_size: the requested size of a block, so that no program writes over the label.
std::size_t bytes_that_may_be_used(void* begin);

facts::Memory memory_of(const HostBlock& block);

/// Returns the live block that holds the address, including the bytes at its end that round its size up.
HostBlock find_host_block(const void* address);

/// Sees whether a block is freed as long as this lives.
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

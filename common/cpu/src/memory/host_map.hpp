// Records and removes blocks in malloc and free. Such a record must take only nanoseconds, so all functions
// are inline. See host_blocks.hpp.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>
#include <cstring>

#include "host_blocks.hpp"

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define KIT_SINGLE_THREADED __libc_single_threaded
#else
#define KIT_SINGLE_THREADED false
#endif

namespace kit::cpu::host_map {

#pragma GCC visibility push(hidden)

// The bit map: one bit for each 16 bytes, in parts for 1 GiB of addresses, which are created when they are
// first needed.
using Word = std::atomic<std::uint64_t>;
constexpr unsigned granule_shift = 4, piece_shift = 30, address_bits = 48;
constexpr std::size_t piece_words = std::size_t(1) << (piece_shift - granule_shift - 6);
constexpr std::size_t pieces = std::size_t(1) << (address_bits - piece_shift);
extern std::atomic<Word*> map[pieces];
Word* new_piece(std::atomic<Word*>& slot);

/// Returns the size of a block that the C library allocated (malloc_usable_size); null until it is known.
extern std::size_t (*usable_bytes)(void*);

// A thread must not free a block while another thread looks at it, so free waits. Each of the two threads
// first writes its own variable, and then reads the other thread's variable.
extern std::atomic<int>
    attention;  ///< number of threads that look at blocks plus number of watched blocks, so that free() needs
                ///< only one test
void wait_for_lookers();
void tell_watchers(const void* begin);

#pragma GCC visibility pop

struct Bit {
    Word* word;
    std::uint64_t mask;
    bool is_set() const { return word && (word->load() & mask); }
};

/// Returns the bit of an address. `word` is null if no block in this part of the map has been recorded.
inline Bit bit_of(const void* address, bool make) {
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    if (number >> address_bits) return {nullptr, 0};
    std::atomic<Word*>& slot = map[number >> piece_shift];
    Word* words = slot.load(std::memory_order_acquire);
    if (__builtin_expect(!words, 0)) {
        if (make) words = new_piece(slot);
        if (!words) return {nullptr, 0};
    }
    const std::uintptr_t granule = number >> granule_shift;
    return {words + (granule >> 6) % piece_words, std::uint64_t(1) << (granule & 63)};
}

inline void set(Bit bit) {
    if (KIT_SINGLE_THREADED)
        bit.word->store(bit.word->load(std::memory_order_relaxed) | bit.mask, std::memory_order_relaxed);
    else
        bit.word->fetch_or(bit.mask);
}

struct Label {
    std::uint64_t bytes_and_maker;   ///< 48 bits: number of requested bytes; 8 bits: the function that
                                     ///< allocated
    std::uint64_t caller_and_check;  ///< 48 bits: return address; 16 bits: check sum
};
static_assert(sizeof(Label) == label_bytes);
constexpr std::uint64_t low_48 = (std::uint64_t(1) << 48) - 1;

/// Returns a check sum, which distinguishes a label from bytes that a program wrote past the end of its
/// block.
inline std::uint64_t check_of(const void* begin, std::uint64_t bytes_and_maker, std::uint64_t caller) {
    const std::uint64_t all = reinterpret_cast<std::uintptr_t>(begin) + bytes_and_maker + caller;
    return all * 0x9e3779b97f4a7c15u & ~low_48;
}

/// Returns the position of a block's label: the last bytes that the C library allocated.
inline char* label_of(const void* begin, std::size_t space) {
    return static_cast<char*>(const_cast<void*>(begin)) + space - label_bytes;
}

/// Records a block of `bytes` bytes. The C library must have allocated at least `label_bytes` more.
inline void note_block(void* begin, std::size_t bytes, Maker maker, const void* return_address) {
    if (!usable_bytes || !begin) return;
    const Bit bit = bit_of(begin, true);
    if (!bit.word) return;
    const std::uint64_t bytes_and_maker = bytes | static_cast<std::uint64_t>(maker) << 48;
    const std::uint64_t caller = reinterpret_cast<std::uintptr_t>(return_address) & low_48;
    const Label label{bytes_and_maker, caller | check_of(begin, bytes_and_maker, caller)};
    std::memcpy(label_of(begin, usable_bytes(begin)), &label, sizeof label);
    set(bit);
}

/// Called before the C library frees or moves a block. Returns whether the block was recorded.
inline bool forget_block(void* begin) {
    const Bit bit = bit_of(begin, false);
    if (!bit.word || !(bit.word->load(std::memory_order_relaxed) & bit.mask)) return false;
    if (KIT_SINGLE_THREADED)
        bit.word->store(bit.word->load(std::memory_order_relaxed) & ~bit.mask, std::memory_order_relaxed);
    else
        bit.word->fetch_and(~bit.mask);
    if (__builtin_expect(attention.load() != 0, 0)) wait_for_lookers();
    return true;
}

/// Records a block again that realloc could not enlarge and did not change.
inline void block_is_back(void* begin) {
    set(bit_of(begin, true));
}

/// Records for the block's watchers that it has been freed.
inline void block_is_freed(const void* begin) {
    if (__builtin_expect(attention.load(std::memory_order_relaxed) != 0, 0)) tell_watchers(begin);
}

}  // namespace kit::cpu::host_map

// Who last touched a word of memory: the records of the race checker.
#pragma once

#include <cstdint>

#include "events.hpp"

namespace kit::cpu {

/// One access by one thread. `clock` counts what the thread passed on the way: barriers, fences, meetings.
struct Record {
    std::uint64_t valid : 1;
    std::uint64_t write : 1;
    std::uint64_t atomic : 1;
    std::uint64_t scope : 2;   ///< of an atomic
    std::uint64_t block : 20;  ///< its number, see block_numbers.hpp
    std::uint64_t rank : 10;   ///< of the thread in its block
    std::uint64_t clock : 16;  ///< at most `most_clock`: see block_numbers.hpp
    std::uint64_t site : 13;   ///< the instruction, see sites.hpp
};
static_assert(sizeof(Record) == 8);

constexpr std::uint32_t most_blocks = 1u << 20;
constexpr std::uint32_t most_clock = 0xFFFF;
constexpr std::uint32_t most_sites = 1u << 13;

/// Whose records these are: a number for the kernel (device memory) or the block (shared memory) that made them. When
/// the numbers come round, all records are forgotten.
using Owner = std::uint32_t;
constexpr Owner most_owners = 1u << 10;

/// Where the records of a word are.
enum class State : std::uint8_t {
    whole,     ///< in its cell: nobody has touched less than all of it
    packed,    ///< those of its four bytes, packed, in its cell (packing.hpp)
    unpacked,  ///< those of its four bytes, ready for use (byte_cells.hpp)
    spilled    ///< likewise, as they were too different to be packed
};

/// The records of one word of 4 bytes, or of one byte where a word is shared by accesses narrower than itself.
///
/// Two readers say enough about all of them: if any reader is unordered with a later writer, then one of two that are
/// as far apart as possible (other block before other warp before other thread) is, too.
struct __attribute__((packed, aligned(4))) Cell {
    Record write, read, far_read;
    std::uint32_t write_owner : 10;
    std::uint32_t read_owner : 10;
    std::uint32_t far_owner : 10;
    std::uint32_t state_bits : 2;

    State state() const { return static_cast<State>(state_bits); }
    void set(State state) { state_bits = static_cast<std::uint32_t>(state) & 3; }

    /// Has nobody else made a record? Of a word that is not whole: whose records are those of its bytes?
    bool only(Owner owner) const {
        return write_owner == owner &&
               (state() != State::whole || (read_owner == owner && far_owner == owner));
    }
    void give_to(Owner owner) { write_owner = read_owner = far_owner = owner; }
};
static_assert(sizeof(Cell) == 28, "7 bytes for each byte of memory; the initialised bits add an eighth");

}  // namespace kit::cpu

// Shadow memory of the race check: for each word, records of the last accesses to it.
#pragma once

#include <cstdint>
#include <cstring>

#include "events.hpp"

namespace kit::cpu {

/// One access by one thread. Block, rank and clock are the access's epoch, as in FastTrack. `clock` counts barriers, fences and warp
/// barriers.
struct Record {
    std::uint64_t valid : 1;
    std::uint64_t write : 1;
    std::uint64_t atomic : 1;
    std::uint64_t scope : 2;   ///< scope of an atomic
    std::uint64_t block : 20;  ///< number of the block, see block_numbers.hpp
    std::uint64_t rank : 10;   ///< rank of the thread in its block
    std::uint64_t clock : 16;  ///< at most `most_clock`: see block_numbers.hpp
    std::uint64_t site : 13;   ///< number of the instruction, see sites.hpp
};
static_assert(sizeof(Record) == 8);

/// Returns the record of one access. Field by field, the processor would have to wait for its own narrow stores before it can load the
/// whole.
inline Record make_record(bool write, bool atomic, Scope scope, std::uint64_t block, std::uint64_t rank,
                          std::uint64_t clock, std::uint64_t site) {
    const std::uint64_t bits = 1u | std::uint64_t{write} << 1 | std::uint64_t{atomic} << 2 |
                               static_cast<std::uint64_t>(scope) << 3 | block << 5 | rank << 25 |
                               clock << 35 | site << 51;
    Record record;
    std::memcpy(&record, &bits, sizeof record);
    return record;
}

constexpr std::uint32_t most_blocks = 1u << 20;
constexpr std::uint32_t most_clock = 0xFFFF;
constexpr std::uint32_t most_sites = 1u << 13;

/// Number of the work that made a record: a kernel, copy or host code, or in shared memory a block. When there is no number left, all
/// records are deleted and the numbers restart.
using WorkId = std::uint32_t;
constexpr WorkId most_work_ids = 1u << 10;

/// Location of the records of a word.
enum class State : std::uint8_t {
    whole,     ///< in its cell, because all accesses were to the whole word
    packed,    ///< packed in its cell, one for each byte (packing.hpp)
    unpacked,  ///< unpacked, one for each byte (byte_cells.hpp)
    spilled    ///< in a map, because they were too different to be packed
};

/// The records of one word of 4 bytes, or of one byte where a word is shared by accesses narrower than itself.
///
/// Two readers represent all of them: if any reader is unordered with a later writer, then so is one of two that are as far apart as
/// possible (a different block, then a different warp, then a different thread).
struct __attribute__((packed, aligned(4))) Cell {
    Record write, read, far_read;
    std::uint32_t write_work : 10;
    std::uint32_t read_work : 10;
    std::uint32_t far_work : 10;
    std::uint32_t state_bits : 2;

    State state() const { return static_cast<State>(state_bits); }
    void set(State state) { state_bits = static_cast<std::uint32_t>(state) & 3; }

    /// Returns whether this work made all records, and all accesses were to the whole word.
    bool whole_of(WorkId id) const { return works() == id * of_all; }

    /// Returns whether this work made all records. In a word that is not whole, `write_work` made the records of all bytes.
    bool only(WorkId id) const {
        return write_work == id && (state() != State::whole || (read_work == id && far_work == id));
    }
    void give_to(WorkId id) { write_work = read_work = far_work = id; }
    /// Deletes all records. New records will belong to this work.
    void restart(WorkId id) {
        const std::uint32_t works = id * of_all;
        write = Record{};
        read = Record{};
        far_read = Record{};
        std::memcpy(reinterpret_cast<char*>(this) + sizeof(Record) * 3, &works, sizeof works);
    }

  private:
    static constexpr std::uint32_t of_all =
        1u << 20 | 1u << 10 | 1u;  ///< times a number: in all three fields
    std::uint32_t works() const {
        std::uint32_t bits;
        std::memcpy(&bits, reinterpret_cast<const char*>(this) + sizeof(Record) * 3, sizeof bits);
        return bits;
    }
};
static_assert(sizeof(Cell) == 28, "7 bytes for each byte of memory; the initialised bits add an eighth");

}  // namespace kit::cpu

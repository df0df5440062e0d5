// Cells of the race check's shadow memory: for each word, records of the last accesses to it.
#pragma once

#include <cstdint>
#include <cstring>

#include "events.hpp"

namespace kit::cpu {

/// One access by one thread. Block, rank and clock are the epoch of the access, as in FastTrack. `clock`
/// counts barriers, fences and warp barriers.
struct Record {
    std::uint64_t valid : 1;
    std::uint64_t write : 1;
    std::uint64_t atomic : 1;
    std::uint64_t scope : 2;   ///< scope of the access if it is an atomic
    std::uint64_t block : 20;  ///< number of the block (block_numbers.hpp)
    std::uint64_t rank : 10;   ///< rank of the thread in its block
    std::uint64_t clock : 16;  ///< at most `most_clock` (block_numbers.hpp)
    std::uint64_t site : 13;   ///< number of the instruction (sites.hpp)
};
static_assert(sizeof(Record) == 8);

/// Returns the record of one access. The fields are joined in a register: the processor would have to wait if
/// it loaded a record just after it stored the single fields.
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

/// The number of the work that made a record: a kernel, a copy or host code; for shared memory, a block. When
/// no number is left, all records are deleted and the numbers restart.
using WorkId = std::uint32_t;
constexpr WorkId most_work_ids = 1u << 10;

/// Where the records of a word are, and whether each byte has its own.
enum class State : std::uint8_t {
    whole,     ///< in the cell of the word, because all accesses were to the whole word
    packed,    ///< per byte, packed in the cell of the word (packing.hpp)
    unpacked,  ///< per byte, unpacked (byte_cells.hpp)
    spilled    ///< per byte, in a map, because they were too different to be packed
};

/// The records of one word of 4 bytes, or of one byte if a word was accessed in smaller pieces.
///
/// Two readers represent all readers: if any reader is unordered with a later writer, then one of the two
/// that are farthest apart is unordered, too (in a different block, otherwise in a different warp, otherwise
/// a different thread).
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

    /// Returns whether this work made all records. For a word that was split, `write_work` is the work that
    /// made the records of all bytes.
    bool only(WorkId id) const {
        return write_work == id && (state() != State::whole || (read_work == id && far_work == id));
    }
    void give_to(WorkId id) { write_work = read_work = far_work = id; }
    /// Deletes all records. Later records belong to this work.
    void restart(WorkId id) {
        const std::uint32_t works = id * of_all;
        write = Record{};
        read = Record{};
        far_read = Record{};
        std::memcpy(reinterpret_cast<char*>(this) + sizeof(Record) * 3, &works, sizeof works);
    }

  private:
    static constexpr std::uint32_t of_all =
        1u << 20 | 1u << 10 | 1u;  ///< multiplied by a number, this sets all three fields to the number
    std::uint32_t works() const {
        std::uint32_t bits;
        std::memcpy(&bits, reinterpret_cast<const char*>(this) + sizeof(Record) * 3, sizeof bits);
        return bits;
    }
};
static_assert(sizeof(Cell) == 28, "7 bytes for each byte of memory; the initialised bits add an eighth");

}  // namespace kit::cpu

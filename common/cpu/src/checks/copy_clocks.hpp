// What the checks keep of a block's asynchronous copies: under which records they are known while they are under way.
//
// A copy belongs to no thread. Its records have a number of their own in place of the block's, which no clock covers; so nobody
// comes after it. A copy that its thread waits for gets records of that thread when it lands (race_copies.cpp). One that a phase
// ends has as its clock how many phases its barrier had completed: the arrivals of the phase say so to whoever waits for it.
#pragma once

#include <kit_cpu/async_copy.hpp>
#include <unordered_map>

#include "arrivals.hpp"
#include "block_numbers.hpp"

namespace kit::cpu {

class CopyClocks {
  public:
    void start();

    /// Block, rank and clock of a copy that its thread waits for ...
    void name_of_group(Record& record, const AsyncCopy& copy, BlockNumbers& numbers);
    /// ... and of one that the phase of its barrier ends that is under way, or a later one.
    void name_of_phase(Record& record, const AsyncCopy& copy, BlockNumbers& numbers, unsigned threads,
                       unsigned later);

    /// Whoever waits for this phase comes after the copies of this one and those before it.
    void phase_ends(const void* barrier, Arrivals* arrivals);

    /// Does the copy end with the phase in every order? It does if whoever arrived there comes after its begin.
    void begins(const AsyncCopy& copy, const Record& as_thread) { begun_[copy.to] = as_thread; }
    bool ends_with(const AsyncCopy& copy, const Arrivals* arrivals, std::uint32_t number) const;

    /// A copy that ends before this address only because its size was meant in bytes; null if there is none.
    void note(const AsyncCopy& copy) { calls_[copy.whole_to] = copy; }
    const AsyncCopy* short_of(const char* address) const;

  private:
    /// Barriers have clocks as threads have.
    struct Line {
        std::uint32_t block = 0, rank = 0, phases = 0;
    };
    std::uint32_t group_number_ = 0;
    bool has_group_number_ = false;
    std::uint32_t last_line_block_ = 0;
    std::unordered_map<const void*, Line> lines_;  ///< by barrier
    std::unordered_map<const char*, AsyncCopy> calls_;
    std::unordered_map<const char*, Record> begun_;  ///< by destination
};

}  // namespace kit::cpu

// Epochs for the records of a block's asynchronous copies while they are in flight.
//
// A copy does not belong to a thread. Its records have their own block number, which no vector clock covers, so the copy does not happen
// before anything. A copy that its thread waits for gets records of that thread when it lands (race_copies.cpp). The clock of a copy
// that ends with a phase is the number of phases that its barrier has completed. The arrivals of the phase cover it for all threads
// that wait for the phase.
#pragma once

#include <kit_cpu/async_copy.hpp>
#include <unordered_map>

#include "arrivals.hpp"
#include "block_numbers.hpp"

namespace kit::cpu {

class CopyClocks {
  public:
    void start();

    /// Sets the epoch of a copy that its thread waits for.
    void set_group_epoch(Record& record, const AsyncCopy& copy, BlockNumbers& numbers);
    /// Sets the epoch of a copy that ends with the current phase of its barrier, or `later` phases after it.
    void set_phase_epoch(Record& record, const AsyncCopy& copy, BlockNumbers& numbers, unsigned threads,
                         unsigned later);

    /// Orders the copies of this phase and of earlier ones before everything that follows a wait for this phase.
    void phase_ends(const void* barrier, Arrivals* arrivals);

    /// Returns whether the copy ends with the phase in every order: its start happens before an arrival at the phase.
    void begins(const AsyncCopy& copy, const Record& as_thread) { begun_[copy.to] = as_thread; }
    bool ends_with(const AsyncCopy& copy, const Arrivals* arrivals, std::uint32_t number) const;

    /// Returns a copy that would reach this address if its size were in elements, not in bytes; null if there is none.
    void note(const AsyncCopy& copy) { calls_[copy.whole_to] = copy; }
    const AsyncCopy* short_of(const char* address) const;

  private:
    /// The epoch of a barrier's copies, whose clock counts phases.
    struct PhaseClock {
        std::uint32_t block = 0, rank = 0, phases = 0;
    };
    std::uint32_t group_number_ = 0;
    bool has_group_number_ = false;
    std::uint32_t last_barrier_block_ = 0;
    std::unordered_map<const void*, PhaseClock> barriers_;  ///< phase clocks by barrier
    std::unordered_map<const char*, AsyncCopy> calls_;
    std::unordered_map<const char*, Record> begun_;  ///< records of copies by destination
};

}  // namespace kit::cpu

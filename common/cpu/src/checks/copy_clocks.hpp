// Epochs of the records that asynchronous copies of a block leave while they are in flight.
//
// A copy does not belong to a thread. The records of a copy have a separate block number, which no vector
// clock covers, so a copy in flight does not happen before anything. When a thread has waited for the copy's
// group, the copy's records are replaced by records of that thread (race_copies.cpp). If the copy ends with a
// phase of a barrier, its clock is the number of phases that the barrier has completed. The arrivals in the
// phase cover that clock for all threads that wait for the phase.
#pragma once

#include <kit_cpu/async_copy.hpp>
#include <unordered_map>

#include "arrivals.hpp"
#include "block_numbers.hpp"

namespace kit::cpu {

class CopyClocks {
  public:
    void start();

    /// Sets the epoch of a copy in a group, for which its thread waits.
    void set_group_epoch(Record& record, const AsyncCopy& copy, BlockNumbers& numbers);
    /// Sets the epoch of a copy that ends with the current phase of its barrier, or with the phase that is
    /// `later` phases after it.
    void set_phase_epoch(Record& record, const AsyncCopy& copy, BlockNumbers& numbers, unsigned threads,
                         unsigned later);

    /// Orders the copies of this phase, and of earlier phases, before everything that follows a wait for this
    /// phase.
    void phase_ends(const void* barrier, Arrivals* arrivals);

    /// Records the start of a copy. The copy ends with a phase in every order if its start happens before an
    /// arrival at that phase.
    void begins(const AsyncCopy& copy, const Record& as_thread) { begun_[copy.to] = as_thread; }
    bool ends_with(const AsyncCopy& copy, const Arrivals* arrivals, std::uint32_t number) const;

    /// Records a copy, to recognize a size that was given in elements instead of bytes: with the correct
    /// size, the copy would reach further.
    void note(const AsyncCopy& copy) { calls_[copy.whole_to] = copy; }
    const AsyncCopy* short_of(const char* address) const;

  private:
    /// The epoch of a barrier's copies. The clock of this epoch counts phases.
    struct PhaseClock {
        std::uint32_t block = 0, rank = 0, phases = 0;
    };
    std::uint32_t group_number_ = 0;
    bool has_group_number_ = false;
    std::uint32_t last_barrier_block_ = 0;
    std::unordered_map<const void*, PhaseClock> barriers_;  ///< epochs by address of the barrier
    std::unordered_map<const char*, AsyncCopy> calls_;
    std::unordered_map<const char*, Record> begun_;  ///< records of copies by their destination
};

}  // namespace kit::cpu

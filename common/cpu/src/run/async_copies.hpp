// The asynchronous copies of a block that are in flight, and the waits that end them.
#pragma once

#include <cstdint>
#include <kit_cpu/async_copy.hpp>
#include <unordered_map>
#include <vector>

namespace kit::cpu {

class AsyncCopies {
  public:
    void start(unsigned threads);

    // Adds a copy to the open group of its thread. Returns the number of that group.
    std::uint64_t add(AsyncCopy copy);
    void commit(unsigned rank, bool bulk);
    /// Removes and returns the copies of all groups of the thread except the last `prior`.
    std::vector<AsyncCopy> take(unsigned rank, std::uint64_t prior, bool bulk);

    // The copies that a barrier tracks, by phase.
    /// Adds a copy to a phase. Returns whether it is too late for that phase, because its thread has already
    /// arrived.
    bool add(const BarrierState& barrier, AsyncCopy copy);
    /// Called when a thread arrives at the barrier. The copies that the thread has started so far belong to
    /// the current phase.
    void arrived(const BarrierState& barrier, unsigned rank);
    /// Removes and returns the copies that end with the current phase, because all threads have arrived. Bulk
    /// copies are included only if the phase expects their bytes.
    std::vector<AsyncCopy> take(const BarrierState& barrier);
    std::vector<AsyncCopy> waiting_at(const BarrierState& barrier) const;
    void next_phase(const BarrierState& barrier);
    std::size_t bulk_bytes(const BarrierState& barrier) const;

    /// Returns whether a copy in one of the thread's groups is in flight.
    bool under_way(unsigned rank) const;
    /// Called when the first thread has waited for the phase. Returns whether the block has already started
    /// copies for another phase of the barrier.
    bool ahead(const BarrierState& barrier, unsigned phase);

    /// Removes and returns the copies for which no thread can wait any longer.
    std::vector<AsyncCopy> take_rest();
    bool any() const { return any_; }
    bool in_flight() const { return in_flight_ > 0; }

  private:
    struct Groups {
        std::uint64_t open = 0;  ///< number of the group that the thread has not committed yet
        std::vector<AsyncCopy> copies;
    };
    struct InPhase {
        AsyncCopy copy;
        bool after_arrival;  ///< the copying thread had already arrived in the phase, so the copy can be too
                             ///< late for it
    };
    struct AtBarrier {
        std::vector<InPhase> copies;
        std::vector<bool> arrived;  ///< the threads that have arrived in this phase, by rank
        unsigned landed = 0;        ///< the last phase with copies, if no thread has waited for that phase
                                    ///< yet
        bool is_new = false;
    };
    Groups& groups(unsigned rank, bool bulk) { return (bulk ? bulk_ : groups_)[rank]; }

    unsigned threads_ = 0;
    std::size_t in_flight_ = 0;  ///< number of copies
    bool any_ = false;
    std::vector<Groups> groups_, bulk_;  ///< groups by rank of the thread; empty if no thread has had one
    std::unordered_map<const BarrierState*, AtBarrier> barriers_;
    const BarrierState* latest_ =
        nullptr;  ///< the barrier for which the latest copy was started in this phase
    unsigned latest_phase_ = 0;
};

}  // namespace kit::cpu

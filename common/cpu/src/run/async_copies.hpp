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

    // Groups of a thread. Returns the number of the group to which the copy belongs.
    std::uint64_t add(AsyncCopy copy);
    void commit(unsigned rank, bool bulk);
    /// Removes and returns the copies of all groups of the thread except the last `prior`.
    std::vector<AsyncCopy> take(unsigned rank, std::uint64_t prior, bool bulk);

    // Phases of a barrier.
    /// Returns whether the copy is too late for its phase, because its thread has already arrived.
    bool add(const BarrierState& barrier, AsyncCopy copy);
    /// Called when a thread arrives. The copies that it has started before belong to this phase.
    void arrived(const BarrierState& barrier, unsigned rank);
    /// Removes and returns the copies that end with the phase, because all threads have arrived; bulk copies only if the phase
    /// expects their bytes.
    std::vector<AsyncCopy> take(const BarrierState& barrier);
    std::vector<AsyncCopy> waiting_at(const BarrierState& barrier) const;
    void next_phase(const BarrierState& barrier);
    std::size_t bulk_bytes(const BarrierState& barrier) const;

    /// Returns whether a copy of the thread's groups is in flight.
    bool under_way(unsigned rank) const;
    /// Called when the first thread has waited for the phase. Returns whether the block has started to copy for a different
    /// phase since then.
    bool ahead(const BarrierState& barrier, unsigned phase);

    /// Removes and returns the copies that no thread can wait for.
    std::vector<AsyncCopy> take_rest();
    bool any() const { return any_; }
    bool in_flight() const { return in_flight_ > 0; }

  private:
    struct Groups {
        std::uint64_t open = 0;  ///< number of the group that is not committed
        std::vector<AsyncCopy> copies;
    };
    struct InPhase {
        AsyncCopy copy;
        bool after_arrival;  ///< its thread had already arrived in the phase, so it can be too late for it
    };
    struct AtBarrier {
        std::vector<InPhase> copies;
        std::vector<bool> arrived;  ///< the threads that have arrived in this phase, by rank
        unsigned landed = 0;        ///< the last phase with copies, if no thread has waited for it yet
        bool is_new = false;
    };
    Groups& groups(unsigned rank, bool bulk) { return (bulk ? bulk_ : groups_)[rank]; }

    unsigned threads_ = 0;
    std::size_t in_flight_ = 0;  ///< number of copies
    bool any_ = false;
    std::vector<Groups> groups_, bulk_;  ///< groups by rank; empty if a thread never had one
    std::unordered_map<const BarrierState*, AtBarrier> barriers_;
    const BarrierState* latest_ =
        nullptr;  ///< the barrier for which the latest copy was started in this phase
    unsigned latest_phase_ = 0;
};

}  // namespace kit::cpu

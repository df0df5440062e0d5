// The asynchronous copies of a block that have begun and not landed: who ends them?
#pragma once

#include <cstdint>
#include <kit_cpu/async_copy.hpp>
#include <unordered_map>
#include <vector>

namespace kit::cpu {

class AsyncCopies {
  public:
    void start(unsigned threads);

    // Groups of a thread: the number of the one to which the copy belongs.
    std::uint64_t add(AsyncCopy copy);
    void commit(unsigned rank, bool bulk);
    /// Takes out what all groups of the thread but the last `prior` hold.
    std::vector<AsyncCopy> take(unsigned rank, std::uint64_t prior, bool bulk);

    // Phases of a barrier.
    /// Returns whether the copy comes too late for its phase: its thread has arrived already.
    bool add(const BarrierState& barrier, AsyncCopy copy);
    /// A thread arrives there: what it has begun before belongs to this phase.
    void arrived(const BarrierState& barrier, unsigned rank);
    /// Takes out the copies that end with the phase, as all have arrived; bulk copies if their bytes are expected.
    std::vector<AsyncCopy> take(const BarrierState& barrier);
    std::vector<AsyncCopy> waiting_at(const BarrierState& barrier) const;
    void next_phase(const BarrierState& barrier);
    std::size_t bulk_bytes(const BarrierState& barrier) const;

    /// Is a copy of the thread's groups under way?
    bool under_way(unsigned rank) const;
    /// The first thread has waited for the phase: has the block begun to copy for another one meanwhile?
    bool ahead(const BarrierState& barrier, unsigned phase);

    /// Takes out what nobody waits for any more.
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
        bool after_arrival;  ///< its thread had arrived in the phase already: it may come too late for it
    };
    struct AtBarrier {
        std::vector<InPhase> copies;
        std::vector<bool> arrived;  ///< by rank, in this phase
        unsigned landed = 0;        ///< the last phase with copies, if nobody has waited for it yet
        bool is_new = false;
    };
    Groups& groups(unsigned rank, bool bulk) { return (bulk ? bulk_ : groups_)[rank]; }

    unsigned threads_ = 0;
    std::size_t in_flight_ = 0;  ///< copies
    bool any_ = false;
    std::vector<Groups> groups_, bulk_;  ///< by rank; empty where there never was one
    std::unordered_map<const BarrierState*, AtBarrier> barriers_;
    const BarrierState* latest_ = nullptr;  ///< where the latest copy was begun, in this phase
    unsigned latest_phase_ = 0;
};

}  // namespace kit::cpu

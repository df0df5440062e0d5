// The order of barriers whose arrival and wait are separate steps: the barrier of a cluster, and cuda::barrier in a block.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "happens_before.hpp"

namespace kit::cpu {

/// The vector clock of one phase of such a barrier: each thread joins its own clock when it arrives (a release). Everything that the
/// phase's clock covers happens before the next step of a thread that has waited for the phase (an acquire).
struct Arrivals {
    unsigned number = 0;  ///< number of the phase, counted by barrier
    std::uint32_t absent =
        0;  ///< clock of a thread that has not arrived: ~0 if all of its accesses are covered
    std::vector<std::uint32_t> blocks;  ///< numbers of the blocks
    unsigned threads = 0;               ///< threads per block
    std::vector<std::uint32_t> clocks;  ///< clocks by block and rank
    VectorClockPtr acquired;            ///< clocks that the threads have acquired from release/acquire edges

    void add_block(std::uint32_t block, unsigned threads_of_block);
    /// Joins everything that the thread did before this clock.
    void note(std::uint32_t block, unsigned rank, std::uint32_t clock);
    void note(const VectorClockPtr& by_thread);
    /// Joins a phase that the arriving thread has waited for.
    void join(const ArrivalsPtr& other);
    /// Deletes what prevented joining the same clock twice, because all threads have arrived.
    void close();
    bool covers(const Record& record) const;
    void add_to(VectorClock& clock) const;

  private:
    std::size_t index(std::uint32_t block);
    std::vector<ArrivalsPtr> joined_;
    VectorClockPtr last_noted_;
};

/// The barriers of the class cuda::barrier that one block uses, by address.
class BlockBarriers {
  public:
    void start() { phases_.clear(); }
    void arrive(BlockClocks& clocks, unsigned rank, const void* barrier, unsigned phase);
    void complete(const void* barrier);
    /// Returns the current phase; null before the first arrival.
    Arrivals* now(const void* barrier) { return phases_[barrier].now.get(); }
    void passed(BlockClocks& clocks, unsigned rank, const void* barrier, unsigned phase);

  private:
    /// The current phase and the previous one, for which a thread may still have to wait.
    struct Phases {
        std::shared_ptr<Arrivals> now, before;
        unsigned phase = 0;     ///< number of the phase as the barrier counts it: init() restarts it
        bool complete = false;  ///< no thread can arrive in `now`
    };
    std::unordered_map<const void*, Phases> phases_;
    unsigned made_ = 0;
};

}  // namespace kit::cpu

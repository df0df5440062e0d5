// Happens-before order of barriers with separate arrival and wait: the barrier of a cluster, and
// cuda::barrier in a block.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "happens_before.hpp"

namespace kit::cpu {

/// The vector clock of one phase of a barrier. A thread joins its own clock into the phase's clock when it
/// arrives (a release). Everything that the clock covers happens before the next step of a thread that has
/// waited for the phase (an acquire).
struct Arrivals {
    unsigned number = 0;  ///< number of the phase, counted separately for each barrier
    std::uint32_t absent =
        0;  ///< clock of a thread that has not arrived yet; ~0 if all of the thread's accesses are covered
    std::vector<std::uint32_t> blocks;  ///< numbers of the blocks whose threads arrive
    unsigned threads = 0;               ///< threads per block
    std::vector<std::uint32_t> clocks;  ///< clocks of the threads, by block and rank
    VectorClockPtr acquired;            ///< clocks that the arriving threads have acquired through
                                        ///< release/acquire edges

    void add_block(std::uint32_t block, unsigned threads_of_block);
    /// Joins everything that the thread did before this clock value.
    void note(std::uint32_t block, unsigned rank, std::uint32_t clock);
    void note(const VectorClockPtr& by_thread);
    /// Joins an earlier phase that the arriving thread has waited for.
    void join(const ArrivalsPtr& other);
    /// Closes the phase after all threads have arrived: deletes the data that prevents joining a clock twice.
    void close();
    bool covers(const Record& record) const;
    void add_to(VectorClock& clock) const;

  private:
    std::size_t index(std::uint32_t block);
    std::vector<ArrivalsPtr> joined_;
    VectorClockPtr last_noted_;
};

/// The cuda::barrier objects that one block uses, by address.
class BlockBarriers {
  public:
    void start() { phases_.clear(); }
    void arrive(BlockClocks& clocks, unsigned rank, const void* barrier, unsigned phase);
    void complete(const void* barrier);
    /// Returns the current phase of a barrier; null before the first arrival.
    Arrivals* now(const void* barrier) { return phases_[barrier].now.get(); }
    void passed(BlockClocks& clocks, unsigned rank, const void* barrier, unsigned phase);

  private:
    /// The current phase of a barrier, and its previous phase, for which a thread may still have to wait.
    struct Phases {
        std::shared_ptr<Arrivals> now, before;
        unsigned phase = 0;     ///< the barrier's own number of the phase, which init() resets
        bool complete = false;  ///< whether all threads have arrived in `now`
    };
    std::unordered_map<const void*, Phases> phases_;
    unsigned made_ = 0;
};

}  // namespace kit::cpu

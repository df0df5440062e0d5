// The order that barriers make where arriving and waiting are two steps: that of a cluster, and cuda::barrier in a block.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "happens_before.hpp"

namespace kit::cpu {

/// One phase of such a barrier: what each thread had done, and what it knew of others, when it arrived. Who has waited for
/// the phase comes after everything that these clocks cover.
struct Arrivals {
    unsigned number = 0;  ///< counts the phases of a barrier
    std::uint32_t absent =
        0;  ///< clock of a thread that has not arrived: ~0 if all that it does counts as done
    std::vector<std::uint32_t> blocks;  ///< their numbers
    unsigned threads = 0;               ///< per block
    std::vector<std::uint32_t> clocks;  ///< by block and rank
    KnowledgePtr known;                 ///< what the threads had heard by messages

    void add_block(std::uint32_t block, unsigned threads_of_block);
    /// All that the thread did before this clock.
    void note(std::uint32_t block, unsigned rank, std::uint32_t clock);
    void note(const KnowledgePtr& heard);
    /// The thread that arrives has waited for that phase.
    void join(const ArrivalsPtr& other);
    /// All have arrived: what was kept to take nothing twice is not needed any more.
    void close();
    bool covers(const Record& record) const;
    void tell(Knowledge& knowledge) const;

  private:
    std::size_t index(std::uint32_t block);
    std::vector<ArrivalsPtr> joined_;
    KnowledgePtr last_heard_;
};

/// The barriers of the class cuda::barrier that one block uses, by address.
class BlockBarriers {
  public:
    void start() { phases_.clear(); }
    void arrive(BlockClocks& clocks, unsigned rank, const void* barrier, unsigned phase);
    void complete(const void* barrier);
    /// The phase that is under way; null before the first arrival.
    Arrivals* now(const void* barrier) { return phases_[barrier].now.get(); }
    void passed(BlockClocks& clocks, unsigned rank, const void* barrier, unsigned phase);

  private:
    /// The phase that is under way and the one before it: a thread may come late to wait.
    struct Phases {
        std::shared_ptr<Arrivals> now, before;
        unsigned phase = 0;     ///< as the barrier counts: init() lets it begin anew
        bool complete = false;  ///< nobody can arrive in `now` any more
    };
    std::unordered_map<const void*, Phases> phases_;
    unsigned made_ = 0;
};

}  // namespace kit::cpu

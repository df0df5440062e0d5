// The blocks of one cluster: resident together on one worker, with a barrier of their own.
#pragma once

#include <kit_cpu/launch.hpp>
#include <memory>
#include <vector>

#include "events.hpp"

namespace kit::cpu {

class Block;

/// The blocks per cluster of this launch: 1 in each direction when it asks for no clusters.
dim3 cluster_dims_of(const Launch& launch);

class Cluster {
  public:
    NotesPtr notes;  ///< of whoever watches

    /// In the order of their ranks.
    const std::vector<Block*>& blocks() const { return blocks_; }
    void add(Block& block);

    /// Counts the barriers that were completed.
    unsigned phase() const { return phase_; }

    /// The running thread of this block has arrived.
    void arrived(Block& block);

    /// Ends the phase when all threads that have not returned have arrived.
    void complete();

    /// A block has ended; true when it was the last one.
    bool block_ended() { return ++ended_ == blocks_.size(); }

    /// The block that has this address in its shared memory, null if none has.
    Block* holder(const char* address) const;

  private:
    std::vector<Block*> blocks_;
    unsigned phase_ = 0, arrived_ = 0;
    std::size_t ended_ = 0;
};

}  // namespace kit::cpu

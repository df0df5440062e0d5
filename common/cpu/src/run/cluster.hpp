// The blocks of one cluster, which run on one worker and share a barrier.
#pragma once

#include <kit_cpu/launch.hpp>
#include <memory>
#include <vector>

#include "events.hpp"

namespace kit::cpu {

class Block;

/// Returns the cluster dimensions of a launch, in blocks; 1 in each dimension if the launch does not request
/// clusters.
dim3 cluster_dims_of(const Launch& launch);

class Cluster {
  public:
    NotesPtr notes;  ///< the observer's notes about the cluster

    /// Returns the blocks in the order of their ranks.
    const std::vector<Block*>& blocks() const { return blocks_; }
    void add(Block& block);

    /// Returns the number of phases of the cluster's barrier that have completed.
    unsigned phase() const { return phase_; }

    /// Called when the running thread of this block has arrived at the cluster's barrier.
    void arrived(Block& block);

    /// Ends the barrier's phase if all threads that have not returned have arrived.
    void complete();

    /// Called when a block of the cluster has finished. Returns true for the last block.
    bool block_ended() { return ++ended_ == blocks_.size(); }

    /// Returns the block whose shared memory contains this address, or null.
    Block* holder(const char* address) const;

  private:
    std::vector<Block*> blocks_;
    unsigned phase_ = 0, arrived_ = 0;
    std::size_t ended_ = 0;
};

}  // namespace kit::cpu

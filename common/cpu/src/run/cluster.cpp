// The barrier of a cluster: a phase ends when nobody is missing.
#include "cluster.hpp"

#include "block.hpp"
#include "checks/checker.hpp"
#include "grid.hpp"

namespace kit::cpu {

dim3 cluster_dims_of(const Launch& launch) {
    return launch.cluster.x ? launch.cluster : dim3(1, 1, 1);
}

void Cluster::add(Block& block) {
    blocks_.push_back(&block);
}

void Cluster::arrived(Block& block, unsigned rank) {
    ++arrived_;
    if (!checking()) return;
    if (!current_) {
        current_ = std::make_shared<Arrivals>();
        current_->number = phase_ + 1;
        current_->absent = ~0u;  // who has returned is not waited for
        for (const Block* each : blocks_)
            current_->add_block(each->checks()->clocks.number(), each->threads());
    }
    block.checks()->clocks.arrive_at(*current_, rank);
}

void Cluster::complete() {
    if (!arrived_) return;
    for (const Block* block : blocks_)
        if (block->missing_in_cluster()) return;
    ++phase_;
    arrived_ = 0;
    if (current_) current_->close();
    last_ = std::exchange(current_, nullptr);
    for (Block* block : blocks_) block->release_cluster_barrier();
}

Block* Cluster::holder(const char* address) const {
    for (Block* block : blocks_)
        if (block->shared().holds(address)) return block;
    return nullptr;
}

}  // namespace kit::cpu

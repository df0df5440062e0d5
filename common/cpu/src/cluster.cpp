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

void Cluster::arrived(const Block& block, unsigned rank, std::uint32_t clock, const KnowledgePtr& known) {
    ++arrived_;
    if (!checking()) return;
    if (!current_) {
        current_ = std::make_shared<ClusterArrivals>();
        current_->phase = phase_ + 1;
        for (const Block* each : blocks_)
            current_->add_block(each->checks()->clocks.number(), each->threads());
    }
    current_->note(block.checks()->clocks.number(), rank, clock, known);
}

void Cluster::complete() {
    if (!arrived_) return;
    for (const Block* block : blocks_)
        if (block->missing_in_cluster()) return;
    ++phase_;
    arrived_ = 0;
    last_ = std::exchange(current_, nullptr);
    for (Block* block : blocks_) block->release_cluster_barrier();
}

Block* Cluster::holder(const char* address) const {
    for (Block* block : blocks_)
        if (block->shared().holds(address)) return block;
    return nullptr;
}

}  // namespace kit::cpu

// The barrier of a cluster. A phase ends when every thread that has not returned has arrived.
#include "cluster.hpp"

#include "block.hpp"
#include "grid.hpp"

namespace kit::cpu {

dim3 cluster_dims_of(const Launch& launch) {
    return launch.cluster.x ? launch.cluster : dim3(1, 1, 1);
}

void Cluster::add(Block& block) {
    blocks_.push_back(&block);
}

void Cluster::arrived(Block& block) {
    ++arrived_;
    observer().barrier({BarrierStep::Of::cluster, BarrierStep::Step::arrived, block});
}

void Cluster::complete() {
    if (!arrived_) return;
    for (const Block* block : blocks_)
        if (block->missing_in_cluster()) return;
    ++phase_;
    arrived_ = 0;
    observer().barrier({BarrierStep::Of::cluster, BarrierStep::Step::complete, *blocks_.front()});
    for (Block* block : blocks_) block->release_cluster_barrier();
}

Block* Cluster::holder(const char* address) const {
    for (Block* block : blocks_)
        if (block->shared().holds(address)) return block;
    return nullptr;
}

}  // namespace kit::cpu

// A block as part of its cluster: the cluster's barrier, and the same place in the shared memory of every
// block.
#include "block.hpp"
#include "cluster.hpp"
#include "grid.hpp"
#include "worker.hpp"

namespace kit::cpu {

void Block::join(std::shared_ptr<Cluster> cluster) {
    cluster_ = std::move(cluster);
    cluster_->add(*this);
    missing_in_cluster_ = threads_ - done_;
    for (unsigned rank = 0; rank < threads_; ++rank) states_[rank].arrived = false;
}

/// Returns the cluster of the block. A block of a launch without clusters becomes a cluster of one block.
Cluster& Block::cluster() {
    if (!cluster_) {
        settle();
        join(std::make_shared<Cluster>());
    }
    return *cluster_;
}

void* Block::shared_variable(const void* key, const char* name, std::size_t size, std::size_t align) {
    if (cluster_)
        for (Block* other : cluster_->blocks()) other->shared_.variable(key, name, size, align);
    return shared_.variable(key, name, size, align);
}

void Block::cluster_arrive(Place place) {
    settle();
    Cluster& all = cluster();
    ThreadState& state = states_[rank_];
    if (state.arrived)
        stop_kernel(cudaErrorLaunchFailure,
                    finding(facts::Rule::arrives_twice, running_spot(place), place).by(running_thread()));
    state.arrived = true;
    state.phase = all.phase();
    --missing_in_cluster_;
    all.arrived(*this);
    all.complete();
}

void Block::cluster_wait(Place place, const char* what) {
    settle();
    Cluster& all = cluster();
    ThreadState& state = states_[rank_];
    if (!state.arrived)
        stop_kernel(cudaErrorLaunchFailure,
                    finding(facts::Rule::waits_unarrived, running_spot(place), place).by(running_thread()));
    state.arrived = false;
    if (state.phase == all.phase()) {
        ++waiting_for_cluster_;
        sleep(Wait::cluster_barrier, what, place);
    }
    observer().barrier({BarrierStep::Of::cluster, BarrierStep::Step::passed, *this});
}

/// Called when the running thread has returned from the kernel. The cluster's barrier no longer waits for the
/// returned thread.
void Block::leave_cluster() {
    const ThreadState& state = states_[rank_];
    if (state.arrived && state.phase == cluster_->phase()) return;
    --missing_in_cluster_;
    cluster_->complete();
}

void Block::release_cluster_barrier() {
    missing_in_cluster_ = threads_ - done_;
    if (waiting_for_cluster_) {
        for (unsigned rank = 0; rank < threads_; ++rank)
            if (states_[rank].wait == Wait::cluster_barrier) wake(rank);
    }
    waiting_for_cluster_ = 0;
}

unsigned Block::rank_of_shared(const void* address, Place place) {
    const auto& blocks = cluster().blocks();
    for (std::size_t rank = 0; rank < blocks.size(); ++rank)
        if (blocks[rank]->shared().holds(static_cast<const char*>(address)))
            return static_cast<unsigned>(rank);
    stop_kernel(cudaErrorIllegalAddress,
                finding(facts::Rule::held_by_no_block, running_spot(place), place).by(running_thread()));
}

void* Block::map_shared(const void* address, int rank, Place place) {
    const auto& blocks = cluster().blocks();
    if (rank < 0 || static_cast<std::size_t>(rank) >= blocks.size())
        stop_kernel(cudaErrorIllegalAddress, finding(facts::Rule::no_such_block, running_spot(place), place)
                                                 .by(running_thread())
                                                 .with("rank", rank)
                                                 .with("blocks", blocks.size()));
    const Block& owner = *blocks[rank_of_shared(address, place)];
    const auto offset = static_cast<const char*>(address) - owner.shared().begin();
    return const_cast<char*>(blocks[static_cast<std::size_t>(rank)]->shared().begin()) + offset;
}

}  // namespace kit::cpu

// Arrivals at a cluster's barrier, and what a block's threads know of them.
#include "cluster_clocks.hpp"

#include <algorithm>

namespace kit::cpu {
namespace {

/// The later one of two phases; none is before all.
const ArrivalsPtr& later(const ArrivalsPtr& a, const ArrivalsPtr& b) {
    return !a || (b && b->phase > a->phase) ? b : a;
}

}  // namespace

void ClusterArrivals::add_block(std::uint32_t block, unsigned threads_of_block) {
    blocks.push_back(block);
    threads = threads_of_block;
    clocks.resize(clocks.size() + threads, ~0u);
}

void ClusterArrivals::note(std::uint32_t block, unsigned rank, std::uint32_t clock,
                           const KnowledgePtr& heard) {
    auto found = std::find(blocks.begin(), blocks.end(), block);
    if (found == blocks.end()) {  // it has got another number since the first thread arrived
        add_block(block, threads);
        found = blocks.end() - 1;
    }
    clocks[static_cast<std::size_t>(found - blocks.begin()) * threads + rank] = clock;
    if (!heard) return;
    if (!known) known = std::make_shared<Knowledge>();
    known->join(*heard);
}

bool ClusterArrivals::covers(const Record& record) const {
    const auto found = std::find(blocks.begin(), blocks.end(), record.block);
    return found != blocks.end() &&
           record.clock < clocks[static_cast<std::size_t>(found - blocks.begin()) * threads + record.rank];
}

std::uint32_t BlockClocks::cluster_arrive(unsigned rank) {
    set_own(rank, clock(rank) + 1);
    return clock(rank);
}

KnowledgePtr BlockClocks::known_to(unsigned rank) const {
    KnowledgePtr all = known_;
    if (const auto found = messages_.find(rank); found != messages_.end()) {
        add(all, found->second.known);
        add(all, found->second.heard);
    }
    return all;
}

void BlockClocks::cluster_wait(unsigned rank, const ArrivalsPtr& phase) {
    if (!phase) return;
    if (cluster_seen_.size() < own_.size()) cluster_seen_.resize(own_.size());
    cluster_seen_[rank] = phase;
    in_cluster_ = true;
    if (!phase->known) return;
    add(messages_[rank].known, phase->known);
    has_messages_ = true;
}

bool BlockClocks::cluster_before(const Record& record, unsigned rank) const {
    const ArrivalsPtr& mine = rank < cluster_seen_.size() ? cluster_seen_[rank] : nullptr;
    return (mine && mine->covers(record)) || (cluster_seen_by_all_ && cluster_seen_by_all_->covers(record));
}

/// What one thread has waited for, all know after a barrier of the block.
void BlockClocks::share_cluster_phase() {
    for (const ArrivalsPtr& seen : cluster_seen_) cluster_seen_by_all_ = later(cluster_seen_by_all_, seen);
    cluster_seen_.clear();
}

}  // namespace kit::cpu

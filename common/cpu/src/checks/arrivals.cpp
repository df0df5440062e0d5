// The vector clocks of barrier phases: an arrival is a release, and a wait is an acquire.
#include "arrivals.hpp"

#include <algorithm>

namespace kit::cpu {

void Arrivals::add_block(std::uint32_t block, unsigned threads_of_block) {
    blocks.push_back(block);
    threads = threads_of_block;
    clocks.resize(clocks.size() + threads, absent);
}

/// Returns the index of the block's first clock. The block may have got a new number after its first thread
/// arrived.
std::size_t Arrivals::index(std::uint32_t block) {
    const auto found = std::find(blocks.begin(), blocks.end(), block);
    const auto place = static_cast<std::size_t>(found - blocks.begin()) * threads;
    if (found == blocks.end()) add_block(block, threads);
    return place;
}

void Arrivals::note(std::uint32_t block, unsigned rank, std::uint32_t clock) {
    std::uint32_t& noted = clocks[index(block) + rank];
    noted = noted == absent ? clock : std::max(noted, clock);
}

void Arrivals::note(const VectorClockPtr& by_thread) {
    if (!by_thread || by_thread == last_noted_) return;
    last_noted_ = by_thread;
    if (!acquired) acquired = std::make_shared<VectorClock>();
    acquired->join(*by_thread);
}

void Arrivals::join(const ArrivalsPtr& other) {
    if (std::find(joined_.begin(), joined_.end(), other) != joined_.end()) return;
    joined_.push_back(other);
    for (std::size_t i = 0; i < other->blocks.size(); ++i) {
        const std::size_t mine = index(other->blocks[i]);
        for (unsigned rank = 0; rank < threads; ++rank)
            clocks[mine + rank] = std::max(clocks[mine + rank], other->clocks[i * threads + rank]);
    }
}

void Arrivals::close() {
    joined_.clear();
    last_noted_ = nullptr;
}

bool Arrivals::covers(const Record& record) const {
    const auto found = std::find(blocks.begin(), blocks.end(), record.block);
    return found != blocks.end() &&
           record.clock < clocks[static_cast<std::size_t>(found - blocks.begin()) * threads + record.rank];
}

void Arrivals::add_to(VectorClock& clock) const {
    for (std::size_t i = 0; i < clocks.size(); ++i)
        clock.threads.raise(thread_key(blocks[i / threads], static_cast<unsigned>(i % threads)), clocks[i]);
}

void BlockClocks::arrive_at(Arrivals& phase, unsigned rank) {
    renew_in_time();
    set_own(rank, clock(rank) + 1);
    phase.note(number_, rank, clock(rank));
    phase.note(acquired_by(rank));
    const auto& lanes = lanes_[rank / 32];
    for (unsigned lane = 0; lane < 32 && !lanes.empty() && !phase.absent; ++lane)
        if (const std::uint32_t known = lanes[rank % 32 * 32 + lane])
            phase.note(number_, rank / 32 * 32 + lane, known);
    if (!has_waited_) return;
    for (const Waited& waited : waited_[rank]) phase.join(waited.phase);
    for (const Waited& waited : all_have_waited_) phase.join(waited.phase);
}

void BlockClocks::wait_for(const ArrivalsPtr& phase, const void* barrier, unsigned rank) {
    if (!phase) return;
    note_sync(rank);
    waited_.resize(own_.size());
    has_waited_ = true;
    keep(waited_[rank], {barrier, phase});
    if (!phase->acquired) return;
    join(sync_[rank].acquired, phase->acquired);
    has_sync_ = true;
}

/// Keeps only the latest phase of each barrier that a thread has waited for.
void BlockClocks::keep(std::vector<Waited>& all, const Waited& one) {
    for (Waited& known : all) {
        if (known.barrier != one.barrier) continue;
        if (one.phase->number >= known.phase->number) known = one;
        return;
    }
    all.push_back(one);
}

VectorClockPtr BlockClocks::acquired_by(unsigned rank) const {
    VectorClockPtr all = acquired_;
    if (const auto found = sync_.find(rank); found != sync_.end()) {
        join(all, found->second.acquired);
        join(all, found->second.pending_updates);
        join(all, found->second.pending_in_block);
    }
    return all;
}

bool BlockClocks::waited_for(const Record& record, unsigned rank) const {
    const auto covers = [&](const Waited& waited) { return waited.phase->covers(record); };
    return std::any_of(waited_[rank].begin(), waited_[rank].end(), covers) ||
           std::any_of(all_have_waited_.begin(), all_have_waited_.end(), covers);
}

/// Called at a barrier of the block. If one thread has waited for a phase, all threads of the block count as having waited for it.
void BlockClocks::share_phases() {
    for (auto& of_one : waited_) {
        for (const Waited& waited : of_one) keep(all_have_waited_, waited);
        of_one.clear();
    }
}

/// Called at a warp barrier. If one lane in the mask has waited for a phase, all lanes in the mask count as having waited for it.
void BlockClocks::share_phases(unsigned warp, std::uint32_t mask) {
    std::vector<Waited> all;
    for (std::uint32_t rest = mask; rest; rest &= rest - 1)
        for (const Waited& waited : waited_[warp * 32 + static_cast<unsigned>(__builtin_ctz(rest))])
            keep(all, waited);
    for (std::uint32_t rest = mask; rest; rest &= rest - 1)
        waited_[warp * 32 + static_cast<unsigned>(__builtin_ctz(rest))] = all;
}

void BlockClocks::add_phases_to(VectorClock& clock, unsigned rank) const {
    if (!has_waited_) return;
    for (const Waited& waited : waited_[rank]) waited.phase->add_to(clock);
    for (const Waited& waited : all_have_waited_) waited.phase->add_to(clock);
}

void BlockBarriers::arrive(BlockClocks& clocks, unsigned rank, const void* barrier, unsigned phase) {
    Phases& phases = phases_[barrier];
    if (!phases.now || phases.complete || phases.phase != phase) {
        phases.before = phases.now;
        phases.now = std::make_shared<Arrivals>();
        phases.phase = phase;
        phases.complete = false;
        phases.now->number = ++made_;
        phases.now->add_block(clocks.number(), clocks.threads());
    }
    clocks.arrive_at(*phases.now, rank);
}

void BlockBarriers::complete(const void* barrier) {
    Phases& phases = phases_[barrier];
    if (phases.now) phases.now->close();
    phases.complete = true;
}

void BlockBarriers::passed(BlockClocks& clocks, unsigned rank, const void* barrier, unsigned phase) {
    const Phases& phases = phases_[barrier];
    const bool older = phases.before && phases.phase != phase;
    clocks.wait_for(older ? phases.before : phases.now, barrier, rank);
}

}  // namespace kit::cpu

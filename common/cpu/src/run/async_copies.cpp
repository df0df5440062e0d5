// Decides when asynchronous copies land: a thread's groups when the thread waits for them, a barrier's copies
// when the phase ends.
#include "async_copies.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "block.hpp"
#include "caller.hpp"
#include "events.hpp"
#include "grid.hpp"
#include "source/findings.hpp"
#include "worker.hpp"

namespace kit::cpu {

namespace {
std::atomic<std::uint64_t> used_waits = 0;
}

void AsyncCopies::start(unsigned threads) {
    threads_ = threads;
    in_flight_ = 0;
    if (!any_) return;
    any_ = false;
    groups_.clear();
    bulk_.clear();
    barriers_.clear();
}

std::uint64_t AsyncCopies::add(AsyncCopy copy) {
    any_ = true;
    std::vector<Groups>& all = copy.bulk ? bulk_ : groups_;
    if (all.empty()) all.resize(threads_);
    copy.group = all[copy.rank].open;
    all[copy.rank].copies.push_back(copy);
    ++in_flight_;
    return copy.group;
}

void AsyncCopies::commit(unsigned rank, bool bulk) {
    any_ = true;
    std::vector<Groups>& all = bulk ? bulk_ : groups_;
    if (all.empty()) all.resize(threads_);
    ++all[rank].open;
}

std::vector<AsyncCopy> AsyncCopies::take(unsigned rank, std::uint64_t prior, bool bulk) {
    if ((bulk ? bulk_ : groups_).empty()) return {};
    Groups& mine = groups(rank, bulk);
    const std::uint64_t end = mine.open > prior ? mine.open - prior : 0;
    const auto first_kept = std::find_if(mine.copies.begin(), mine.copies.end(),
                                         [&](const AsyncCopy& copy) { return copy.group >= end; });
    std::vector<AsyncCopy> done(mine.copies.begin(), first_kept);
    mine.copies.erase(mine.copies.begin(), first_kept);
    in_flight_ -= done.size();
    return done;
}

bool AsyncCopies::add(const BarrierState& barrier, AsyncCopy copy) {
    any_ = true;
    AtBarrier& here = barriers_[&barrier];
    const bool has_arrived = !copy.bulk && copy.rank < here.arrived.size() && here.arrived[copy.rank];
    here.copies.push_back({copy, has_arrived});
    ++in_flight_;
    latest_ = &barrier;
    latest_phase_ = barrier.phase;
    return has_arrived;
}

void AsyncCopies::arrived(const BarrierState& barrier, unsigned rank) {
    any_ = true;
    AtBarrier& here = barriers_[&barrier];
    here.arrived.resize(threads_);
    here.arrived[rank] = true;
    for (InPhase& one : here.copies)
        if (one.copy.rank == rank) one.after_arrival = false;
}

/// Removes and returns the copies that end with the barrier's current phase. A phase that expects no bytes
/// does not wait for bulk copies.
std::vector<AsyncCopy> AsyncCopies::take(const BarrierState& barrier) {
    std::vector<AsyncCopy> done;
    const auto found = barriers_.find(&barrier);
    if (found == barriers_.end()) return done;
    std::vector<InPhase>& copies = found->second.copies;
    const auto ends_here = [&](const InPhase& one) {
        return one.copy.bulk ? barrier.bytes != 0 : !one.after_arrival;
    };
    for (const InPhase& one : copies)
        if (ends_here(one)) done.push_back(one.copy);
    copies.erase(std::remove_if(copies.begin(), copies.end(), ends_here), copies.end());
    in_flight_ -= done.size();
    if (done.empty()) return done;
    found->second.landed = barrier.phase;
    found->second.is_new = true;
    return done;
}

std::vector<AsyncCopy> AsyncCopies::waiting_at(const BarrierState& barrier) const {
    std::vector<AsyncCopy> all;
    if (const auto found = barriers_.find(&barrier); found != barriers_.end())
        for (const InPhase& one : found->second.copies) all.push_back(one.copy);
    return all;
}

void AsyncCopies::next_phase(const BarrierState& barrier) {
    const auto found = barriers_.find(&barrier);
    if (found == barriers_.end()) return;
    found->second.arrived.assign(found->second.arrived.size(), false);
    for (InPhase& one : found->second.copies) one.after_arrival = false;
}

std::size_t AsyncCopies::bulk_bytes(const BarrierState& barrier) const {
    std::size_t bytes = 0;
    if (const auto found = barriers_.find(&barrier); found != barriers_.end())
        for (const InPhase& one : found->second.copies) bytes += one.copy.bulk ? one.copy.bytes : 0;
    return bytes;
}

bool AsyncCopies::under_way(unsigned rank) const {
    return !groups_.empty() && !groups_[rank].copies.empty();
}

bool AsyncCopies::ahead(const BarrierState& barrier, unsigned phase) {
    const auto found = barriers_.find(&barrier);
    if (found == barriers_.end() || found->second.landed != phase) return false;
    return std::exchange(found->second.is_new, false) && (latest_ != &barrier || latest_phase_ != phase);
}

std::vector<AsyncCopy> AsyncCopies::take_rest() {
    std::vector<AsyncCopy> rest;
    for (std::vector<Groups>* all : {&groups_, &bulk_})
        for (Groups& mine : *all) {
            rest.insert(rest.end(), mine.copies.begin(), mine.copies.end());
            mine.copies.clear();
        }
    in_flight_ -= rest.size();
    return rest;
}

void Block::begin_copy(AsyncCopy copy, BarrierState* barrier) {
    settle();
    copy.rank = rank_;
    copy.barrier = barrier;
    if (rank_ == 0) loads_before_copy_ = worker_->counters.shared_loads;
    if (!barrier)
        copy.group = copies_.add(copy);
    else if (copies_.add(*barrier, copy))
        ++worker_->counters.async_late;
    ++worker_->counters.async_copies;
    worker_->counters.async_bytes += copy.bytes;
    observer().copy_begins(*worker_, copy);
    if (barrier && copy.bulk && barrier->missing == 0 && phase_may_end(*barrier)) complete_phase(*barrier);
}

void Block::commit_copies(bool bulk) {
    settle();
    copies_.commit(rank_, bulk);
}

void Block::wait_for_copies(std::uint64_t prior, bool bulk) {
    settle();
    const std::vector<AsyncCopy> done = copies_.take(rank_, prior, bulk);
    if (rank_ == 0 && !done.empty() && copies_.under_way(rank_)) ++worker_->counters.async_overlaps;
    if (rank_ == 0 && !done.empty() && worker_->counters.shared_loads != loads_before_copy_) ++used_waits;
    for (const AsyncCopy& copy : done) land(copy);
}

void Block::expect_bytes(BarrierState& barrier, long long bytes) {
    settle();
    barrier.bytes += bytes;
}

/// Called when all threads have arrived and the expected number of bytes has been copied. The copies of the
/// phase land now.
bool Block::phase_may_end(BarrierState& barrier) {
    if (barrier.missing != 0) return false;
    if (!copies_.any()) return barrier.bytes == 0;
    if (barrier.bytes && static_cast<std::size_t>(barrier.bytes) != copies_.bulk_bytes(barrier)) return false;
    for (const AsyncCopy& copy : copies_.take(barrier)) land(copy);
    for (const AsyncCopy& copy : copies_.waiting_at(barrier)) observer().copy_stays(*this, copy);
    return true;
}

void Block::land(const AsyncCopy& copy) {
    observer().copy_landed(*this, copy);
    std::memmove(copy.to, copy.from, copy.bytes);
    std::memset(copy.to + copy.bytes, 0, copy.zeros);
}

/// Called when all threads of the block have returned. Bulk copies to global memory still land, although
/// their source in shared memory no longer exists.
void Block::end_copies() {
    if (!copies_.any()) return;
    for (const AsyncCopy& copy : copies_.take_rest()) {
        if (!copy.bulk) continue;
        observer().copy_outlives(*this, copy);
        std::memmove(copy.to, copy.from, copy.bytes);
    }
}

std::uint64_t waits_after_loads() {
    return used_waits;
}

void copy_in_group(const AsyncCopy& copy) {
    Caller(copy.what)->begin_copy(copy, nullptr);
}
void copy_in_phase(BarrierState& barrier, const AsyncCopy& copy) {
    Caller(copy.what)->begin_copy(copy, &barrier);
}
void commit_copies(bool bulk) {
    Caller("commit")->commit_copies(bulk);
}
void wait_for_copies(std::uint64_t prior, bool bulk) {
    Caller("wait_prior")->wait_for_copies(prior, bulk);
}
void expect_bytes(BarrierState& barrier, long long bytes) {
    if (this_worker) this_worker->counters.async_expected += static_cast<std::uint64_t>(bytes);
    Caller("expect_tx")->expect_bytes(barrier, bytes);
}

namespace {

/// Creates a finding about the copy that the running thread starts.
Finding wrong_copy(facts::Rule rule, const AsyncCopy& copy) {
    return finding(rule, copy.place).by(running_thread()).with("copy", copy.what).with("bytes", copy.whole);
}

}  // namespace

void check_copy_alignment(const AsyncCopy& copy, std::size_t alignment) {
    const std::uintptr_t all = reinterpret_cast<std::uintptr_t>(copy.whole_to) |
                               reinterpret_cast<std::uintptr_t>(copy.from) | copy.whole;
    if (all % alignment == 0) return;
    const std::size_t to = reinterpret_cast<std::uintptr_t>(copy.whole_to) % alignment,
                      from = reinterpret_cast<std::uintptr_t>(copy.from) % alignment;
    const facts::Rule rule = from ? facts::Rule::copy_source_not_aligned
                             : to ? facts::Rule::copy_destination_not_aligned
                                  : facts::Rule::copy_size_not_aligned;
    stop_kernel(cudaErrorMisalignedAddress, wrong_copy(rule, copy)
                                                .with("past", from ? from : to)
                                                .with("is_bulk", copy.bulk)
                                                .with("alignment", alignment));
}

void check_copy_size(const AsyncCopy& copy) {
    if (copy.whole == 4 || copy.whole == 8 || copy.whole == 16) return;
    stop_kernel(cudaErrorLaunchFailure, wrong_copy(facts::Rule::no_such_copy_size, copy));
}

void check_bulk_copy(const AsyncCopy& copy, bool to_shared) {
    check_copy_alignment(copy, 16);
    const SharedArena& shared = this_worker->block->shared();
    const char* const inside = to_shared ? copy.to : copy.from;
    const char* const outside = to_shared ? copy.from : copy.to;
    if (shared.holds(inside) && !shared.holds(outside)) return;
    stop_kernel(cudaErrorLaunchFailure, wrong_copy(to_shared ? facts::Rule::no_bulk_copy_to_shared
                                                             : facts::Rule::no_bulk_copy_to_global,
                                                   copy));
}

void barrier_token(const BarrierState& barrier, const void* of, unsigned phase, Place place) {
    if (of != &barrier)
        stop_kernel(cudaErrorLaunchFailure,
                    finding(facts::Rule::foreign_token, running_spot(place), place).by(running_thread()));
    if (barrier.phase - phase > 1)
        stop_kernel(cudaErrorLaunchFailure, finding(facts::Rule::old_token, running_spot(place), place)
                                                .by(running_thread())
                                                .with("phase", phase)
                                                .with("now", barrier.phase));
}

}  // namespace kit::cpu

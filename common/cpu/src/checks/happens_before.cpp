// The vector clocks of the threads of a block, and the order that barriers create. release_acquire.cpp
// handles fences and atomics.
#include "happens_before.hpp"

#include <algorithm>

namespace kit::cpu {

std::uint64_t sync_time = 0;

namespace {

bool later(const ClockMap& map, std::uint32_t key, std::uint32_t clock) {
    const auto found = map.find(key);
    return found != map.end() && found->second > clock;
}

}  // namespace

void VectorClock::join(const VectorClock& other) {
    blocks.join(other.blocks);
    threads.join(other.threads);
    grid = std::max(grid, other.grid);
    if (other.reads && other.reads != reads) {
        if (!reads) {
            reads = other.reads;
        } else {
            if (reads.use_count() > 1) reads = std::make_shared<VectorClock>(*reads);
            reads->join(*other.reads);
        }
    }
    for (const auto& [kernel, known] : other.kernels) {
        VectorClockPtr& mine = kernels[kernel];
        if (mine == known) continue;
        if (mine) {
            mine = std::make_shared<VectorClock>(*mine);
            mine->join(*known);
        } else {
            mine = known;
        }
    }
}

/// Returns whether the access happens before the owner of this clock. A fence releases the accesses before
/// it. The atomic write that completes the release pattern comes after the fence and has the clock of the
/// fence. This write also happens before the acquire, so the acquiring thread may reset the variable with a
/// plain store.
bool VectorClock::covers(const Record& record) const {
    const std::uint32_t clock = record.atomic && record.clock > 0 ? record.clock - 1 : record.clock;
    return record.clock < grid || later(blocks, record.block, record.clock) ||
           later(threads, thread_key(record.block, record.rank), clock) ||
           (!record.write && reads && reads->covers(record));
}

void BlockClocks::start(BlockNumbers* numbers, std::uint32_t block, unsigned threads,
                        std::uint32_t grid_clock) {
    numbers_ = numbers;
    number_ = block;
    grid_clock_ = grid_clock;
    barrier_clock_ = latest_ = std::max(1u, grid_clock);
    own_.assign(threads, 0);
    barrier_time_ = sync_time;
    last_sync_.assign(threads, 0);
    lanes_.resize((threads + 31) / 32);
    for (auto& lanes : lanes_) lanes.clear();
    acquired_.reset();
    pending_loads_.reset();
    pending_signals_.reset();
    pending_releases_.reset();
    flaw_ = BrokenEdge::none;
    barrier_released_.reset();
    barrier_released_to_host_.reset();
    sync_.clear();
    has_sync_ = has_waited_ = false;
    waited_.clear();
    all_have_waited_.clear();
}

void BlockClocks::set_own(unsigned rank, std::uint32_t clock) {
    own_[rank] = clock;
    latest_ = std::max(latest_, own_[rank]);
}

void BlockClocks::note_sync(unsigned rank) {
    last_sync_[rank] = ++sync_time;
}

/// Joins `more` into a clock. Threads share a clock until one of them joins something into it.
void BlockClocks::join(VectorClockPtr& to, const VectorClockPtr& more) {
    if (!more || more == to) return;
    if (!to) {
        to = more;
        return;
    }
    if (to.use_count() > 1) to = std::make_shared<VectorClock>(*to);
    to->join(*more);
}

/// Called at a barrier, for the pattern "all threads write, __threadfence(), __syncthreads(), thread 0
/// updates a counter": an atomic of any thread after the barrier releases everything before the fences that
/// the block's threads executed before the barrier.
void BlockClocks::release_fences() {
    std::uint32_t all = barrier_released_ ? barrier_released_->blocks[number_] : 0, least = ~0u;
    std::size_t fenced = 0;
    bool to_host = true;
    for (const auto& [rank, mine] : sync_) {
        if (!mine.device_fence.clock) continue;
        ++fenced;
        to_host &= mine.system_fence.clock == mine.device_fence.clock;
        all = std::max(all, mine.device_fence.barrier);
        least = std::min(least, mine.device_fence.clock);
    }
    if (!fenced) return;
    if (fenced == own_.size()) all = std::max(all, least);
    const auto now = std::make_shared<VectorClock>();
    if (barrier_released_) now->join(*barrier_released_);
    if (acquired_) now->join(*acquired_);
    now->blocks[number_] = all;
    now->grid = grid_clock_;
    for (const auto& [rank, mine] : sync_) {
        if (!mine.device_fence.clock) continue;
        if (mine.device_fence.clock > all)
            now->threads.raise(thread_key(number_, rank), mine.device_fence.clock);
        if (mine.device_fence.acquired) now->join(*mine.device_fence.acquired);
        add_phases_to(*now, rank);
    }
    barrier_released_ = now;
    if (to_host) barrier_released_to_host_ = now;
}

void BlockClocks::barrier() {
    if (has_sync_) release_fences();
    if (has_waited_) share_phases();
    barrier_clock_ = ++latest_;
    barrier_time_ = ++sync_time;
    acquire_all();
    sync_.clear();
    has_sync_ = false;
    if (latest_ >= renewed_clock) renew();
}

/// Makes all threads of the block acquire everything that one of its threads has acquired.
void BlockClocks::acquire_all() {
    pending_loads_.reset();
    flaw_ = BrokenEdge::none;
    for (auto& [rank, thread] : sync_) {
        join(acquired_, thread.acquired);
        join(acquired_, thread.pending_updates);
        join(acquired_, thread.pending_in_block);
        join(pending_loads_, thread.pending_loads);
        join(pending_signals_, thread.pending_signals);
        join(pending_releases_, thread.pending_releases);
        if (thread.flaw == BrokenEdge::none) continue;
        flaw_ = thread.flaw;
        read_from_ = thread.read_from;
    }
}

/// Gives the block a new number at a barrier, where everything that the block has done happens before the
/// next step of each thread.
bool BlockClocks::renew() {
    const std::uint32_t next = numbers_ ? numbers_->renew(number_) : number_;
    if (next == number_) return false;
    const auto old = std::make_shared<VectorClock>();
    old->blocks[number_] = ~0u;
    join(acquired_, old);
    number_ = next;
    barrier_clock_ = latest_ = std::max(1u, grid_clock_);
    std::fill(own_.begin(), own_.end(), 0);
    for (auto& lanes : lanes_) lanes.clear();
    return true;
}

/// Gives the block a new number without a barrier, because its clock would overflow. Everything that the
/// block has done then counts as ordered before the next step of each thread, so a race between accesses
/// before and after this moment is missed.
void BlockClocks::renew_in_time() {
    if (latest_ + steps_at_once <= most_clock || !renew()) return;
    acquire_all();
    if (has_waited_) share_phases();
    for (auto& [rank, mine] : sync_)  // all threads have acquired what was released under the old number
        for (ReleaseFence* fenced : {&mine.device_fence, &mine.block_fence, &mine.system_fence})
            if (fenced->clock) fenced->clock = fenced->barrier = barrier_clock_;
}

void BlockClocks::grid_barrier(std::uint32_t grid_clock) {
    barrier();
    grid_clock_ = barrier_clock_ = latest_ = grid_clock;
}

void BlockClocks::warp_barrier(unsigned warp, std::uint32_t mask) {
    renew_in_time();
    auto& lanes = lanes_[warp];
    if (lanes.empty()) lanes.assign(32 * 32, 0);
    if (has_waited_) share_phases(warp, mask);
    std::uint32_t joined[32] = {};
    VectorClockPtr acquired, pending_signals;
    for (std::uint32_t rest = mask; rest; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        for (unsigned other = 0; other < 32; ++other)
            joined[other] = std::max(joined[other], lanes[lane * 32 + other]);
        joined[lane] = std::max(joined[lane], clock(warp * 32 + lane) + 1);
        set_own(warp * 32 + lane, clock(warp * 32 + lane) + 1);
        note_sync(warp * 32 + lane);
        if (!has_sync_) continue;
        if (const auto found = sync_.find(warp * 32 + lane); found != sync_.end()) {
            join(acquired, found->second.acquired);
            join(acquired, found->second.pending_updates);
            join(acquired, found->second.pending_in_block);
            join(pending_signals, found->second.pending_signals);
        }
    }
    for (std::uint32_t rest = mask; rest; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        std::copy(joined, joined + 32, lanes.begin() + lane * 32);
        if (acquired) join(sync_[warp * 32 + lane].acquired, acquired);
        if (pending_signals) join(sync_[warp * 32 + lane].pending_signals, pending_signals);
    }
}

/// Returns the clock of a kernel that the thread launches. The thread's clock increases by two, because
/// VectorClock::covers counts an atomic with the acquired clock as covered.
VectorClock BlockClocks::launch(unsigned rank) {
    renew_in_time();
    VectorClock at_launch;
    set_own(rank, clock(rank) + 1);
    add_thread_to(at_launch, rank, {clock(rank), barrier_clock_, nullptr});
    set_own(rank, clock(rank) + 1);
    if (acquired_) at_launch.join(*acquired_);
    add_phases_to(at_launch, rank);
    const auto found = sync_.find(rank);
    if (found != sync_.end() && found->second.acquired) at_launch.join(*found->second.acquired);
    return at_launch;
}

bool BlockClocks::thread_acquired(const Record& record, unsigned rank) const {
    const auto found = sync_.find(rank);
    return found != sync_.end() && found->second.acquired && found->second.acquired->covers(record);
}

bool BlockClocks::happens_before(WorkId kernel, const Record& record, unsigned rank, bool writes) const {
    const auto covered = [&](const VectorClockPtr& by) { return by && by->covers(kernel, record); };
    if (covered(acquired_) || (writes && covered(pending_signals_))) return true;
    const auto found = sync_.find(rank);
    return found != sync_.end() &&
           (covered(found->second.acquired) || (writes && covered(found->second.pending_signals)));
}

bool BlockClocks::ordered_by_signal(const Record& record, unsigned rank) const {
    const auto covered = [&](const VectorClockPtr& by) {
        if (!by) return false;
        if (by->covers(record)) return true;
        for (const auto& [kernel, of_kernel] : by->kernels)
            if (of_kernel->covers(record)) return true;
        return false;
    };
    if (covered(pending_signals_)) return true;
    const auto found = sync_.find(rank);
    return found != sync_.end() && covered(found->second.pending_signals);
}

void BlockClocks::add_kernels_to(VectorClock& clock) const {
    const auto add = [&](const VectorClockPtr& by) {
        if (!by || by->kernels.empty()) return;
        VectorClock others;
        others.kernels = by->kernels;
        clock.join(others);
    };
    add(acquired_);
    add(pending_signals_);
    for (const auto& [rank, thread] : sync_) {
        add(thread.acquired);
        add(thread.pending_signals);
    }
}

}  // namespace kit::cpu

// Release and acquire: what fences and atomics order, and why an atomic read may order nothing.
#include <algorithm>

#include "happens_before.hpp"

namespace kit::cpu {
namespace {

/// Times of the last fences of two threads.
struct LastFences {
    std::uint32_t thread = ~0u;
    std::uint64_t time = 0, time_of_another = 0;

    void note(std::uint32_t by) {
        if (by != thread) time_of_another = time;
        thread = by;
        time = sync_time;
    }
    std::uint64_t of_another(std::uint32_t than) const { return thread == than ? time_of_another : time; }
} last_fences;

}  // namespace

void BlockClocks::step(unsigned rank) {
    renew_in_time();
    set_own(rank, clock(rank) + 1);
}

void BlockClocks::fence(unsigned rank, Scope scope) {
    step(rank);
    ThreadSync& mine = sync_[rank];
    has_sync_ = true;
    note_sync(rank);
    last_fences.note(thread_key(number_, rank));
    join(mine.acquired, mine.pending_in_block);
    mine.pending_in_block.reset();
    if (scope == Scope::block) {
        mine.only_block_fence = mine.pending_updates || mine.pending_loads;
    } else {
        join(mine.acquired, mine.pending_updates);
        join(mine.acquired, mine.pending_loads);
        mine.pending_updates.reset();
        mine.pending_loads.reset();
        mine.pending_signals.reset();
    }
    mine.block_fence = {clock(rank), barrier_clock_, mine.acquired};
    if (scope != Scope::block) mine.device_fence = mine.block_fence;
}

void BlockClocks::acquire(unsigned rank, const VectorClockPtr& more) {
    has_sync_ = true;
    join(sync_[rank].acquired, more);
}

VectorClockPtr BlockClocks::signal(unsigned rank, bool adds, SyncVar& variable) {
    step(rank);
    const auto released = std::make_shared<VectorClock>();
    const bool by_another_thread = adds && variable.released && variable.last_signal == acquired_;
    if (acquired_ && !by_another_thread) released->kernels = acquired_->kernels;
    variable.last_signal = acquired_;
    if (const auto found = sync_.find(rank); found != sync_.end() && found->second.acquired) {
        VectorClock by_thread;
        by_thread.kernels = found->second.acquired->kernels;
        released->join(by_thread);
    }
    released->reads = std::make_shared<VectorClock>();
    add_thread_to(*released->reads, rank, {clock(rank), barrier_clock_, nullptr});
    return released;
}

/// Adds the thread's own accesses before this clock, and the accesses of its warp and grid that a barrier orders before them.
void BlockClocks::add_thread_to(VectorClock& clock, unsigned rank, const ReleaseFence& until) const {
    clock.grid = grid_clock_;
    clock.threads[thread_key(number_, rank)] = until.clock;
    clock.blocks[number_] = until.barrier;
    const auto& lanes = lanes_[rank / 32];
    for (unsigned lane = 0; lane < 32 && !lanes.empty(); ++lane)
        if (const std::uint32_t known = lanes[rank % 32 * 32 + lane])
            raise(clock.threads, thread_key(number_, rank / 32 * 32 + lane), known);
}

/// Returns the vector clock that the thread releases because of a fence, or of a releasing atomic.
VectorClockPtr BlockClocks::clock_after(unsigned rank, const ReleaseFence& fence) const {
    auto clock = std::make_shared<VectorClock>();
    add_thread_to(*clock, rank, fence);
    if (fence.acquired) clock->join(*fence.acquired);
    if (acquired_) clock->join(*acquired_);
    add_phases_to(*clock, rank);
    return clock;
}

/// Releases to the block, and if `device` is set, to all blocks. A thread that repeats its last release adds nothing.
void BlockClocks::release_to(SyncVar& variable, unsigned rank, bool device, const ReleaseFence& fence) {
    if (!fence.clock) return;
    const Epoch now{number_, rank, fence.clock, device ? 1u : 0u};
    const Epoch& last = variable.last_release;
    if (now.block == last.block && now.rank == last.rank && now.clock == last.clock &&
        now.barrier == last.barrier)
        return;
    variable.last_release = now;
    const VectorClockPtr clock = clock_after(rank, fence);
    join(variable.released_in_block[number_], clock);
    if (device) join(variable.released, clock);
}

void BlockClocks::note_flaw(unsigned rank, const Access& access, const SyncVar& variable) {
    const Epoch& writer = variable.last_write;
    const bool near = writer.block == number_;
    if (writer.block == ~0u || (near && writer.rank == rank)) return;
    BrokenEdge why = variable.flaw;
    if (why == BrokenEdge::narrow_release && near) why = BrokenEdge::none;
    if (why == BrokenEdge::none && !near && access.scope == Scope::block) why = BrokenEdge::narrow_acquire;
    if (why == BrokenEdge::none) why = BrokenEdge::no_release;  // what the writer did after its fence
    ThreadSync& mine = sync_[rank];
    has_sync_ = true;
    mine.flaw = why;
    mine.read_from = writer;
}

BrokenEdge BlockClocks::why_unordered(const Record& record, unsigned rank) const {
    const auto covered = [&](const VectorClockPtr& by) { return by && by->covers(record); };
    const auto wrote = [&](const Epoch& writer) {
        const bool itself = writer.rank == record.rank && record.clock <= writer.clock;
        return writer.block == record.block && (itself || record.clock < writer.barrier);
    };
    const auto found = sync_.find(rank);
    if (found != sync_.end()) {
        const ThreadSync& mine = found->second;
        if (covered(mine.pending_updates) || covered(mine.pending_loads))
            return mine.only_block_fence ? BrokenEdge::narrow_acquire : BrokenEdge::no_acquire;
        if (covered(mine.pending_in_block)) return BrokenEdge::no_acquire;
        if (wrote(mine.read_from) && mine.flaw != BrokenEdge::none) return mine.flaw;
    }
    if (covered(pending_loads_)) return BrokenEdge::no_acquire;
    return wrote(read_from_) ? flaw_ : BrokenEdge::none;
}

bool BlockClocks::may_read_older(unsigned rank, const Access& access, const SyncVar& variable,
                                 std::uint64_t last_sync) const {
    const Epoch& writer = variable.last_write;
    const std::uint32_t me = thread_key(number_, rank);
    if (!access.acquires || !variable.replaced_no_release || writer.block == ~0u ||
        thread_key(writer.block, writer.rank) == me)
        return false;
    if (variable.write_time < last_sync ||
        (access.sequential && variable.write_time < last_fences.of_another(me)))
        return false;
    const bool acquires =
        (variable.released && access.scope != Scope::block) || variable.released_in_block.count(number_);
    return acquires && !variable.readers_of_older.count(me);
}

void BlockClocks::atomic(unsigned rank, const Access& access, SyncVar& variable) {
    const bool wide = access.scope != Scope::block;
    if (access.read) {  // before it writes
        VectorClockPtr near;
        if (const auto found = variable.released_in_block.find(number_);
            found != variable.released_in_block.end())
            near = found->second;
        if ((wide && variable.released) || near) {
            ThreadSync& mine = sync_[rank];
            has_sync_ = true;
            const VectorClockPtr far = wide ? variable.released : nullptr;
            VectorClockPtr& into = access.acquires ? mine.acquired
                                   : access.write  ? mine.pending_updates
                                                   : mine.pending_loads;
            if (mine.last_into != &into || mine.last_device != far || mine.last_block != near) {
                join(into, far);
                if (access.awaits && !access.acquires) join(mine.pending_signals, far);
                join(access.acquires ? mine.acquired : mine.pending_in_block, near);
                mine.last_into = &into;
                mine.last_device = far;
                mine.last_block = near;
            }
            note_sync(rank);
        }
        note_flaw(rank, access, variable);
    }
    if (!access.write) return;
    variable.replaced_no_release = !variable.released && variable.released_in_block.empty();
    const auto found = sync_.find(rank);
    const ThreadSync* const mine = found == sync_.end() ? nullptr : &found->second;
    const bool mine_before = variable.last_write.block == number_ && variable.last_write.rank == rank;
    if (!access.read && !mine_before) {
        variable.released.reset();
        variable.released_in_block.clear();
        variable.last_release = {};
    }
    variable.flaw = BrokenEdge::none;
    if (access.releases) {
        release_to(variable, rank, wide, {clock(rank), barrier_clock_, mine ? mine->acquired : nullptr});
        if (!wide) variable.flaw = BrokenEdge::narrow_release;
    } else {
        if (mine)
            release_to(variable, rank, wide && mine->device_fence.clock,
                       mine->device_fence.clock ? mine->device_fence : mine->block_fence);
        if (mine && mine->device_fence.clock && mine->block_fence.clock > mine->device_fence.clock)
            release_to(variable, rank, false, mine->block_fence);
        if (barrier_released_ && wide) {
            join(variable.released, barrier_released_);
            auto self = std::make_shared<VectorClock>();  // for this atomic itself, see VectorClock::covers
            self->threads[thread_key(number_, rank)] = barrier_clock_;
            join(variable.released, self);
        } else if (!mine || !mine->block_fence.clock) {
            variable.flaw = BrokenEdge::no_release;
        } else if (!mine->device_fence.clock || !wide) {
            variable.flaw = BrokenEdge::narrow_release;
        }
    }
    variable.last_write = {number_, rank, clock(rank), barrier_clock_};
    variable.write_time = ++sync_time;
    variable.readers_of_older.clear();
}

}  // namespace kit::cpu

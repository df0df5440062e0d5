// Release and acquire: the order that fences and atomics create, and the reasons why an atomic read creates
// no order.
#include <algorithm>

#include "happens_before.hpp"

namespace kit::cpu {
namespace {

/// The times of the last fences of the reading and the writing thread.
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
        mine.only_block_fence = mine.pending_updates || mine.pending_releases || mine.pending_loads;
    } else {
        for (const VectorClockPtr& read : {mine.pending_updates, mine.pending_releases, mine.pending_loads})
            join(mine.acquired, read);
        join(mine.acquired, pending_releases_);
        mine.pending_updates.reset();
        mine.pending_releases.reset();
        mine.pending_loads.reset();
        mine.pending_signals.reset();
    }
    mine.block_fence = {clock(rank), barrier_clock_, mine.acquired};
    if (scope != Scope::block) mine.device_fence = mine.block_fence;
    if (scope == Scope::system) mine.system_fence = mine.block_fence;
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

/// Adds the thread's own accesses before this fence, and accesses of its block, warp and grid that a barrier
/// orders before them.
void BlockClocks::add_thread_to(VectorClock& clock, unsigned rank, const ReleaseFence& until) const {
    clock.grid = grid_clock_;
    clock.threads[thread_key(number_, rank)] = until.clock;
    clock.blocks[number_] = until.barrier;
    const auto& lanes = lanes_[rank / 32];
    for (unsigned lane = 0; lane < 32 && !lanes.empty(); ++lane)
        if (const std::uint32_t known = lanes[rank % 32 * 32 + lane])
            clock.threads.raise(thread_key(number_, rank / 32 * 32 + lane), known);
}

/// Returns the clock that the thread releases with a fence or a releasing atomic.
VectorClockPtr BlockClocks::clock_after(unsigned rank, const ReleaseFence& fence) const {
    auto clock = std::make_shared<VectorClock>();
    add_thread_to(*clock, rank, fence);
    if (fence.acquired) clock->join(*fence.acquired);
    if (acquired_) clock->join(*acquired_);
    add_phases_to(*clock, rank);
    return clock;
}

/// Releases the clock to the block and, with `device`, to all blocks. Repeating a thread's last release has
/// no effect.
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

/// Releases the clock to host code, if the fence exists. Called only for operations with system scope.
void BlockClocks::release_to_host(SyncVar& variable, unsigned rank, const ReleaseFence& fence) {
    if (variable.of_host && fence.clock) join(variable.released_to_host, clock_after(rank, fence));
}

void BlockClocks::note_flaw(unsigned rank, const Access& access, const SyncVar& variable) {
    const Epoch& writer = variable.last_write;
    const bool near = writer.block == number_;
    if (writer.block == ~0u || (near && writer.rank == rank)) return;
    BrokenEdge why = variable.flaw;
    if (why == BrokenEdge::narrow_release && near) why = BrokenEdge::none;
    if (why == BrokenEdge::none && !near && access.scope == Scope::block) why = BrokenEdge::narrow_acquire;
    if (why == BrokenEdge::none)
        why = BrokenEdge::no_release;  // this access comes after the fence of the writer
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
        if (covered(mine.pending_updates) || covered(mine.pending_releases) || covered(mine.pending_loads))
            return mine.only_block_fence ? BrokenEdge::narrow_acquire : BrokenEdge::no_acquire;
        if (covered(mine.pending_in_block)) return BrokenEdge::no_acquire;
        if (wrote(mine.read_from) && mine.flaw != BrokenEdge::none) return mine.flaw;
    }
    if (covered(pending_loads_) || covered(pending_releases_)) return BrokenEdge::no_acquire;
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

/// Handles an atomic. A read acquires from the release sequence of the value, and a write releases. An update
/// first reads and then writes.
void BlockClocks::atomic(unsigned rank, const Access& access, SyncVar& variable) {
    if (access.read) atomic_read(rank, access, variable);
    if (access.write) atomic_write(rank, access, variable);
}

void BlockClocks::atomic_read(unsigned rank, const Access& access, const SyncVar& variable) {
    const Released released = released_to(access.scope, variable);
    if (released.device || released.block) {
        ThreadSync& mine = sync_[rank];
        has_sync_ = true;
        if (access.acquires)
            mine.acquire_read(released);
        else if (access.write)
            mine.update(released, access.releases);
        else
            mine.relaxed_load(released, access.awaits);
        note_sync(rank);
    }
    note_flaw(rank, access, variable);
}

void BlockClocks::atomic_write(unsigned rank, const Access& access, SyncVar& variable) {
    variable.replaced_no_release = !variable.released && variable.released_in_block.empty();
    const bool own = variable.last_write.block == number_ && variable.last_write.rank == rank;
    if (!access.read && !own) variable.end_release_sequence();
    variable.flaw = access.releases ? release_write(rank, access.scope, variable)
                                    : relaxed_write(rank, access.scope, variable);
    variable.last_write = {number_, rank, clock(rank), barrier_clock_};
    variable.write_time = ++sync_time;
    variable.readers_of_older.clear();
}

/// Returns the clocks that a read with this scope can acquire. A read of block scope acquires only what its
/// own block has released. A wider read also acquires what other blocks have released with device scope or
/// wider.
BlockClocks::Released BlockClocks::released_to(Scope scope, const SyncVar& variable) const {
    const auto in_block = variable.released_in_block.find(number_);
    return {scope == Scope::block ? nullptr : variable.released,
            in_block == variable.released_in_block.end() ? nullptr : in_block->second};
}

/// Handles a read with memory_order_acquire: everything that was released happens before the thread's next
/// step.
void BlockClocks::ThreadSync::acquire_read(const Released& released) {
    if (!is_new(released, acquired)) return;
    join(acquired, released.device);
    join(acquired, released.block);
}

/// Handles the read of a relaxed or only releasing update. Such an update acquires nothing until a fence
/// completes the acquire pattern; for clocks that the thread's own block has released, a fence of block scope
/// is enough. After a relaxed update, a barrier of the block also counts as this fence. After an update with
/// memory_order_release, a barrier does not count: a program that states the order of the release must also
/// state the acquire.
void BlockClocks::ThreadSync::update(const Released& released, bool releases) {
    VectorClockPtr& pending = releases ? pending_releases : pending_updates;
    if (!is_new(released, pending)) return;
    join(pending, released.device);
    join(pending_in_block, released.block);
}

/// Handles a load with memory_order_relaxed, as for update(); but a barrier is not enough for clocks that
/// another block has released. A load that waits for a signal also orders the thread's later writes, because
/// a write cannot come before a load on which it depends.
void BlockClocks::ThreadSync::relaxed_load(const Released& released, bool waits_for_signal) {
    if (!is_new(released, pending_loads)) return;
    join(pending_loads, released.device);
    if (waits_for_signal) join(pending_signals, released.device);
    join(pending_in_block, released.block);
}

/// Returns whether the clocks differ from those of the thread's previous read. A spinning thread reads the
/// same clocks repeatedly.
bool BlockClocks::ThreadSync::is_new(const Released& released, VectorClockPtr& into) {
    if (last_into == &into && last_read.device == released.device && last_read.block == released.block)
        return false;
    last_into = &into;
    last_read = released;
    return true;
}

/// Ends the release sequence at a store, unless the same thread also made the previous write.
void SyncVar::end_release_sequence() {
    released.reset();
    released_in_block.clear();
    released_to_host.reset();
    last_release = {};
}

/// Returns the edges of the thread, without creating an entry for a thread that has none.
const BlockClocks::ThreadSync& BlockClocks::sync_of(unsigned rank) const {
    static const ThreadSync none;
    const auto found = sync_.find(rank);
    return found == sync_.end() ? none : found->second;
}

/// Handles a write with memory_order_release: releases everything that the thread has done or acquired, to
/// the threads in its scope.
BrokenEdge BlockClocks::release_write(unsigned rank, Scope scope, SyncVar& variable) {
    release_to(variable, rank, scope != Scope::block, {clock(rank), barrier_clock_, sync_of(rank).acquired});
    if (scope == Scope::system)
        release_to_host(variable, rank, {clock(rank), barrier_clock_, sync_of(rank).acquired});
    return scope == Scope::block ? BrokenEdge::narrow_release : BrokenEdge::none;
}

/// Handles a write with memory_order_relaxed: releases everything before the thread's earlier fences. The
/// narrower scope of the fence and the write decides which threads can acquire the released clock. Returns
/// which half of the release pattern is missing, if any.
BrokenEdge BlockClocks::relaxed_write(unsigned rank, Scope scope, SyncVar& variable) {
    const bool device = scope != Scope::block;
    const ReleaseFence &device_fence = sync_of(rank).device_fence, &block_fence = sync_of(rank).block_fence;
    release_to(variable, rank, device, device_fence);
    if (scope == Scope::system) {
        release_to_host(variable, rank, sync_of(rank).system_fence);
        if (variable.of_host) join(variable.released_to_host, barrier_released_to_host_);
    }
    if (block_fence.clock > device_fence.clock) release_to(variable, rank, false, block_fence);
    if (device && barrier_released_) {
        release_fenced_before_barrier(rank, variable);
        return BrokenEdge::none;
    }
    if (!block_fence.clock) return BrokenEdge::no_release;
    return device && device_fence.clock ? BrokenEdge::none : BrokenEdge::narrow_release;
}

/// Handles an atomic after a barrier of the block: it releases itself and everything that the block's threads
/// had fenced before the barrier (see VectorClock::covers). The programming guide relies on this edge,
/// although the PTX memory model does not promise it.
void BlockClocks::release_fenced_before_barrier(unsigned rank, SyncVar& variable) {
    join(variable.released, barrier_released_);
    const auto self = std::make_shared<VectorClock>();
    self->threads[thread_key(number_, rank)] = barrier_clock_;
    join(variable.released, self);
}

}  // namespace kit::cpu

// The happens-before relation inside a kernel: the vector clocks of a block's threads.
//
// This is FastTrack's algorithm, and the terms are those of FastTrack, ThreadSanitizer and the C++ memory model:
//
//   epoch                one step of one thread: block, rank and clock. Each record of an access contains one (record.hpp).
//   vector clock         for each thread, the clock up to which all of its accesses happen before something (VectorClock)
//   happens before       an access happens before a thread's next step if the thread's vector clock covers the access's epoch
//   release, acquire     a release joins the thread's vector clock into that of a synchronization variable (SyncVar), and an acquire
//                        joins it from there into the clock of another thread. Together they are a release/acquire edge.
//   unordered            neither access happens before the other; the literature also says "concurrent"
//
// All threads of a block share one clock, which counts barriers. For each thread, the fences and warp
// barriers of that thread are counted in addition. A record with clock c happens before the running thread if
// the thread has acquired a later clock of that block or thread: from a barrier of the block or grid, from a
// __syncwarp with that lane, or from a release/acquire edge.
//
// An edge is what the PTX memory model calls "synchronizes with". A release pattern (a releasing store or update, or a fence and then
// any atomic write) writes the value that an acquire pattern (an acquiring load or update, or any atomic read and then a fence) reads,
// directly or through a chain of updates (a release sequence), and the scopes of both patterns include the other thread. Two edges
// are stronger than the model promises, because the programming guide relies on them: after a relaxed update (such as atomicInc, but
// not one with memory_order_release), a barrier of the block counts as the reader's fence; and an atomic after a barrier also releases
// what all threads had fenced before the barrier.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "block_numbers.hpp"
#include "clock_map.hpp"

namespace kit::cpu {

/// Counts the synchronization operations of all threads, so that two of them can be compared in time.
extern std::uint64_t sync_time;

/// Returns the key of a thread of the grid in VectorClock::threads.
inline std::uint32_t thread_key(std::uint32_t block, std::uint32_t rank) {
    return block * 1024 + rank;
}

struct VectorClock;
using VectorClockPtr = std::shared_ptr<VectorClock>;

/// Clocks of other blocks and of single threads. The accesses before these clocks happen before the next step
/// of the owner of this vector clock.
struct VectorClock {
    ClockMap blocks;         ///< for each block, a clock that covers all of its threads
    ClockMap threads;        ///< for each thread, by thread_key, a clock that covers only this thread
    std::uint32_t grid = 0;  ///< clock that covers all threads of the grid
    VectorClockPtr
        reads;  ///< covers only loads: a signal releases the loads of its sender, but not its stores
    std::map<WorkId, VectorClockPtr>
        kernels;  ///< clocks of kernels that are ordered with this kernel only by release/acquire edges

    void join(const VectorClock& other);
    bool covers(const Record& record) const;
    /// Returns the same as covers(record), for a record of a different kernel.
    bool covers(WorkId kernel, const Record& record) const {
        const auto found = kernels.find(kernel);
        return found != kernels.end() && found->second->covers(record);
    }
};

struct Arrivals;  // declared in arrivals.hpp
using ArrivalsPtr = std::shared_ptr<const Arrivals>;

/// The reason why an atomic read of another thread's atomic write made no release/acquire edge.
enum class BrokenEdge : std::uint8_t {
    none,
    no_release,
    narrow_release,  ///< the scope of the release is the writer's block, and the reader is in another block
    no_acquire,
    narrow_acquire  ///< the scope of the acquire is the reader's block, and the writer is in another block
};

/// One step of one thread, with the number of barriers that its block had completed.
struct Epoch {
    std::uint32_t block = ~0u, rank = 0, clock = 0, barrier = 0;
};

/// The synchronization variable at the address of an atomic (ThreadSanitizer's SyncVar). The variable stores
/// the clocks that threads have released at that address.
struct SyncVar {
    VectorClockPtr released;  ///< released with device scope or wider, so threads of all blocks can acquire
                              ///< it
    /// Clocks that were released with block scope, by the number of the block whose threads can acquire them.
    std::map<std::uint32_t, VectorClockPtr> released_in_block;
    bool of_host = false;             ///< whether host code can access the variable
    VectorClockPtr released_to_host;  ///< the part that was released with system scope, if `of_host`
    VectorClockPtr
        last_signal;  ///< the clock that the block of the last signal's sender had acquired, which the signal
                      ///< released
    std::uint32_t holder =
        0;               ///< number, from 1, of the block that owns the shared memory; 0 for other memory
                         ///< (RaceCheck::sync_var_at)
    WorkId kernel = 0;   ///< the kernel that has used the variable last
    Epoch last_release;  ///< clock of the last release and of its fence; a spinning thread repeats the same
                         ///< release
    Epoch last_write;    ///< epoch of the last write; its block is ~0 if this kernel has not written yet
    BrokenEdge flaw = BrokenEdge::none;  ///< reason why the last write makes no edge
    std::uint64_t write_time = 0;        ///< time of the last write (BlockClocks::may_read_older)
    bool replaced_no_release = false;    ///< whether no thread has released the value before the last write
    char older_value[8] = {};            ///< the value before the last write (may_read_older)
    /// Threads, by thread_key, that have read the older value.
    std::unordered_set<std::uint32_t> readers_of_older;

    void end_release_sequence();
};

class BlockClocks {
  public:
    /// Starts a block. `numbers` are the kernel's block numbers; null if the block is too short to need a
    /// second number.
    void start(BlockNumbers* numbers, std::uint32_t block, unsigned threads, std::uint32_t grid_clock);

    unsigned threads() const { return static_cast<unsigned>(own_.size()); }

    /// Returns the number that currently stands for the block in records.
    std::uint32_t number() const { return number_; }

    std::uint32_t clock(unsigned rank) const {
        return own_[rank] > barrier_clock_ ? own_[rank] : barrier_clock_;
    }

    /// Returns whether the access is by the thread itself, or a barrier of the block or grid orders it before
    /// the thread's next step.
    bool before_barrier(const Record& record, unsigned rank) const {
        if (record.block != number_) return record.clock < grid_clock_;
        return record.rank == rank || record.clock < barrier_clock_;
    }
    /// Returns whether only program order and barriers of the block or grid order earlier accesses before the
    /// thread's next step.
    bool has_only_barriers(unsigned rank) const {
        return !acquired_ && !has_sync_ && !has_waited_ && lanes_[rank / 32].empty();
    }

    /// Returns whether the access happens before the thread's next step or, with `writes`, before the
    /// thread's next write.
    bool happens_before(const Record& record, unsigned rank, bool writes = false) const {
        if (record.block == number_) {
            if (record.rank == rank || record.clock < barrier_clock_) return true;
            if (record.rank / 32 == rank / 32 && !lanes_[rank / 32].empty() &&
                record.clock < lanes_[rank / 32][rank % 32 * 32 + record.rank % 32])
                return true;
        } else if (record.clock < grid_clock_) {
            return true;
        }
        return (acquired_ && acquired_->covers(record)) || (has_sync_ && thread_acquired(record, rank)) ||
               (writes && ordered_by_signal(record, rank)) || (has_waited_ && waited_for(record, rank));
    }

    /// Returns the same as above, for an access of a different kernel.
    bool happens_before(WorkId kernel, const Record& record, unsigned rank, bool writes) const;
    /// Returns whether only a signal that the thread has read orders the access, because the thread has not
    /// executed a fence since.
    bool ordered_by_signal(const Record& record, unsigned rank) const;
    /// Sets the clock with which all threads of the block start.
    void begin_with(const VectorClockPtr& acquired) { acquired_ = acquired; }
    /// Adds the clocks of other kernels that threads of the block have acquired.
    void add_kernels_to(VectorClock& clock) const;

    void barrier();
    void warp_barrier(unsigned warp, std::uint32_t mask);
    void fence(unsigned rank, Scope scope);
    /// Joins a clock that does not come from an atomic into the thread's clock.
    void acquire(unsigned rank, const VectorClockPtr& more);
    /// Returns the clock that a signal releases without a fence: the puts of other kernels that its sender
    /// has waited for, and its loads.
    VectorClockPtr signal(unsigned rank, bool adds, SyncVar& variable);
    static void join(VectorClockPtr& to, const VectorClockPtr& more);
    /// Increments the thread's clock. A fence does this once, and a releasing atomic does it before and after
    /// its write.
    void step(unsigned rank);
    void atomic(unsigned rank, const Access& access, SyncVar& variable);
    /// Returns whether an acquiring load may return the value before the last store: it would acquire a new
    /// clock, but nothing orders the thread after that store yet. `last_sync`: time of the thread's last
    /// synchronization. A sequentially consistent load begins with a fence, so it sees the store if another
    /// thread has executed a fence after the store.
    bool may_read_older(unsigned rank, const Access& access, const SyncVar& variable,
                        std::uint64_t last_sync) const;
    std::uint64_t last_sync(unsigned rank) const { return std::max(barrier_time_, last_sync_[rank]); }
    /// Returns why the thread's last atomic read of a value from the record's thread did not create a
    /// release/acquire edge.
    BrokenEdge why_unordered(const Record& record, unsigned rank) const;
    /// Returns the clock with which a kernel starts that the thread launches now.
    VectorClock launch(unsigned rank);

    /// Returns the clock with which all blocks continue after a barrier of the grid.
    std::uint32_t latest() const { return latest_; }
    void grid_barrier(std::uint32_t grid_clock);
    /// Restarts the block after all records of the grid have been deleted.
    void restart(std::uint32_t grid_clock) { start(numbers_, number_, threads(), grid_clock); }

    /// Arrives at a barrier with separate arrival and wait (arrivals.cpp).
    void arrive_at(Arrivals& phase, unsigned rank);
    void wait_for(const ArrivalsPtr& phase, const void* barrier, unsigned rank);

  private:
    /// A fence, for the next atomic: it releases the thread's own accesses before this clock, and the clocks
    /// that the thread had acquired.
    struct ReleaseFence {
        std::uint32_t clock = 0, barrier = 0;
        VectorClockPtr acquired;
    };
    /// The clocks that a read can acquire: clocks released with device scope or wider, and clocks released in
    /// the reader's own block.
    struct Released {
        VectorClockPtr device, block;
    };
    /// The release/acquire edges of one thread since the last barrier of its block. A pending clock was read
    /// by an atomic that does not acquire. A later fence acquires the pending clock, as in the acquire
    /// pattern of the memory model.
    struct ThreadSync {
        VectorClockPtr acquired;
        VectorClockPtr pending_updates;  ///< read by relaxed updates; a barrier of the block also acquires
                                         ///< them
        VectorClockPtr
            pending_releases;  ///< read by updates with memory_order_release, which only a fence acquires
        VectorClockPtr pending_loads;     ///< clocks that relaxed loads have read
        VectorClockPtr pending_signals;   ///< read by waits for signals, which order the thread's later
                                          ///< writes
        VectorClockPtr pending_in_block;  ///< released by the thread's own block, so a fence of block scope
                                          ///< acquires them
        Released last_read;               ///< the clocks that the thread's last read returned, and where they
                                          ///< were joined
        VectorClockPtr* last_into = nullptr;
        ReleaseFence device_fence;      ///< the last fence with device scope or wider
        ReleaseFence block_fence;       ///< the last fence of any scope
        ReleaseFence system_fence;      ///< the last fence with system scope
        bool only_block_fence = false;  ///< whether the thread has read a clock that only a fence of device
                                        ///< scope acquires
        Epoch read_from;                ///< the last write that the thread has read without an edge
        BrokenEdge flaw = BrokenEdge::none;

        void acquire_read(const Released& released);
        void update(const Released& released, bool releases);
        void relaxed_load(const Released& released, bool waits_for_signal);
        bool is_new(const Released& released, VectorClockPtr& into);
    };
    void atomic_read(unsigned rank, const Access& access, const SyncVar& variable);
    void atomic_write(unsigned rank, const Access& access, SyncVar& variable);
    const ThreadSync& sync_of(unsigned rank) const;
    Released released_to(Scope scope, const SyncVar& variable) const;
    BrokenEdge release_write(unsigned rank, Scope scope, SyncVar& variable);
    BrokenEdge relaxed_write(unsigned rank, Scope scope, SyncVar& variable);
    void release_fenced_before_barrier(unsigned rank, SyncVar& variable);
    void add_thread_to(VectorClock& clock, unsigned rank, const ReleaseFence& until) const;
    VectorClockPtr clock_after(unsigned rank, const ReleaseFence& fence) const;
    void release_to(SyncVar& variable, unsigned rank, bool device, const ReleaseFence& fence);
    void release_to_host(SyncVar& variable, unsigned rank, const ReleaseFence& fence);
    void note_flaw(unsigned rank, const Access& access, const SyncVar& variable);
    bool thread_acquired(const Record& record, unsigned rank) const;
    bool waited_for(const Record& record, unsigned rank) const;
    VectorClockPtr acquired_by(unsigned rank) const;
    void share_phases();
    void share_phases(unsigned warp, std::uint32_t mask);
    void add_phases_to(VectorClock& clock, unsigned rank) const;
    void note_sync(unsigned rank);
    void set_own(unsigned rank, std::uint32_t clock);
    bool renew();
    void renew_in_time();
    void acquire_all();
    void release_fences();

    BlockNumbers* numbers_ = nullptr;
    std::uint32_t number_ = 0, barrier_clock_ = 1, grid_clock_ = 0, latest_ = 1;
    std::vector<std::uint32_t> own_;
    /// Clocks that lanes have acquired from each other, by warp: entry (i, j) of 32 x 32 is lane j's clock in
    /// lane i. Empty before the warp's first barrier.
    std::vector<std::vector<std::uint32_t>> lanes_;
    VectorClockPtr acquired_;  ///< the clock that all threads of the block acquired at its last barrier
    VectorClockPtr
        barrier_released_;  ///< the clock of the fences before the block's last barrier; any later atomic of
                            ///< the block releases it
    VectorClockPtr barrier_released_to_host_;  ///< the same for fences with system scope
    bool has_sync_ = false;                    ///< whether `sync_` has elements
    /// The last write before the block's last barrier that one of its threads has read without an edge.
    Epoch read_from_;
    BrokenEdge flaw_ = BrokenEdge::none;
    VectorClockPtr pending_loads_, pending_signals_;  ///< the same as in ThreadSync, for the block;
                                                      ///< `pending_signals_` exist until the block ends
    VectorClockPtr
        pending_releases_;  ///< as in ThreadSync, for the block; any thread acquires them with a fence
    std::uint64_t barrier_time_ = 0;        ///< time of the last barrier (may_read_older)
    std::vector<std::uint64_t> last_sync_;  ///< time of each thread's last fence, warp barrier or acquire, by
                                            ///< rank
    std::unordered_map<unsigned, ThreadSync> sync_;  ///< edges of the threads, by rank
    /// A phase of a barrier with separate arrival and wait, which a thread has waited for.
    struct Waited {
        const void* barrier;
        ArrivalsPtr phase;
    };
    static void keep(std::vector<Waited>& all, const Waited& one);
    bool has_waited_ = false;
    std::vector<std::vector<Waited>> waited_;  ///< phases since the block's last barrier, by rank
    std::vector<Waited> all_have_waited_;
};

}  // namespace kit::cpu

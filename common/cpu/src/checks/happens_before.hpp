// What is ordered with what: the clocks of a block's threads.
//
// All threads of a block share one count of barriers; a thread counts its own fences and warp meetings on top. A record
// with clock c happened before the running thread if that thread knows of a later count: through a barrier of the block
// or grid, a __syncwarp with that lane, or a message.
//
// A message is what the PTX memory model calls "synchronizes with": a release pattern (a releasing store or update, or a fence and
// then any atomic one) writes what an acquire pattern (an acquiring load or update, or any atomic one and then a fence) reads,
// itself or at the end of a chain of updates, and the scopes of both reach the other thread. Two things are more than the model
// promises, as the programming guide relies on them: behind an update a barrier of the block stands for the reader's fence, and what all had
// fenced before a barrier is released by an atomic of any of them behind it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "block_numbers.hpp"

namespace kit::cpu {

/// Counts what makes threads know of each other, to tell what came later.
extern std::uint64_t time_now;

inline void raise(std::unordered_map<std::uint32_t, std::uint32_t>& map, std::uint32_t key,
                  std::uint32_t clock) {
    std::uint32_t& known = map[key];
    known = std::max(known, clock);
}

/// Threads of a grid, in Knowledge::threads.
inline std::uint32_t thread_key(std::uint32_t block, std::uint32_t rank) {
    return block * 1024 + rank;
}

struct Knowledge;
using KnowledgePtr = std::shared_ptr<Knowledge>;

/// Clocks of other blocks and of single threads that somebody has heard of.
struct Knowledge {
    std::unordered_map<std::uint32_t, std::uint32_t> blocks;   ///< everything in the block before this clock
    std::unordered_map<std::uint32_t, std::uint32_t> threads;  ///< key: block * 1024 + rank
    std::uint32_t grid = 0;                                    ///< everything in the grid before this clock
    KnowledgePtr reads;  ///< of loads only: who sends a signal has loaded what it has loaded
    std::map<Owner, KnowledgePtr> kernels;  ///< the same of other kernels, which nothing else orders

    void join(const Knowledge& other);
    bool covers(const Record& record) const;
    /// The same of a record that another kernel has made.
    bool covers(Owner kernel, const Record& record) const {
        const auto found = kernels.find(kernel);
        return found != kernels.end() && found->second->covers(record);
    }
};

/// What a thread has done, or has come after, when it launches a kernel. All of that is visible to the kernel.
struct LaunchPoint {
    Knowledge known;
    bool covers(const Record& record) const { return known.covers(record); }
};
struct Arrivals;  // see arrivals.hpp
using ArrivalsPtr = std::shared_ptr<const Arrivals>;

/// Why a message did not order its reader behind its writer.
enum class Unheard : std::uint8_t {
    nothing,
    not_released,
    released_narrowly,
    not_acquired,
    acquired_narrowly
};

/// A thread and how far it was.
struct Moment {
    std::uint32_t block = ~0u, rank = 0, clock = 0, barrier = 0;
};

/// What was published at one address by releasing threads.
struct Message {
    KnowledgePtr wide;                             ///< for every block
    std::map<std::uint32_t, KnowledgePtr> narrow;  ///< by block: what its threads have published, for itself
    KnowledgePtr last_known;                       ///< by the block of the last signal, which has told of it
    std::uint32_t holder = 0;  ///< whose shared memory it is in, from 1, see RaceCheck::message_at;
    Owner kernel = 0;          ///< and the kernel that has left it
    Moment
        published;  ///< the last one who told something, with the clock of the fence: who spins does so again and again
    Moment writer;                    ///< of the last one: nobody in this kernel, if its block is ~0
    Unheard flaw = Unheard::nothing;  ///< of the last one
    std::uint64_t written = 0;        ///< when, see BlockClocks::may_read_older
    bool silent_before = false;       ///< what it has replaced told nobody anything
    char before[8] = {};              ///< what it has replaced
    std::unordered_set<std::uint32_t>
        late;  ///< who has read its predecessor in its stead: block * 1024 + rank
};

class BlockClocks {
  public:
    /// `numbers` are those of the kernel; null where nothing lasts long enough to need another one.
    void start(BlockNumbers* numbers, std::uint32_t block, unsigned threads, std::uint32_t grid_clock);

    unsigned threads() const { return static_cast<unsigned>(own_.size()); }

    /// Under which records know the block now.
    std::uint32_t number() const { return number_; }

    std::uint32_t clock(unsigned rank) const {
        return own_[rank] > barrier_clock_ ? own_[rank] : barrier_clock_;
    }

    /// Did this happen before what the thread does now, or writes now?
    bool before(const Record& record, unsigned rank, bool writes = false) const {
        if (record.block == number_) {
            if (record.rank == rank || record.clock < barrier_clock_) return true;
            if (record.rank / 32 == rank / 32 && !lanes_[rank / 32].empty() &&
                record.clock < lanes_[rank / 32][rank % 32 * 32 + record.rank % 32])
                return true;
        } else if (record.clock < grid_clock_) {
            return true;
        }
        return (known_ && known_->covers(record)) || (has_messages_ && heard_before(record, rank)) ||
               (writes && told_by_signal(record, rank)) || (has_waited_ && waited_for(record, rank));
    }

    /// Has the thread heard, by a message, of what the other kernel did there, so that it may load it, or write there?
    bool heard_of(Owner kernel, const Record& record, unsigned rank, bool writes) const;
    /// Has a signal told the thread of this, and it has fenced nothing since?
    bool told_by_signal(const Record& record, unsigned rank) const;
    /// What all threads of the block know from the beginning, and what they have heard of other kernels until now.
    void begin_with(const KnowledgePtr& known) { known_ = known; }
    void tell_kernels(Knowledge& knowledge) const;

    void barrier();
    void warp_barrier(unsigned warp, std::uint32_t mask);
    void fence(unsigned rank, Scope scope);
    /// The thread is told of more than it has read of others.
    void learn(unsigned rank, const KnowledgePtr& more);
    /// What a signal tells without a fence: which puts of other kernels its sender has found done, and what it has loaded.
    KnowledgePtr signal(unsigned rank, bool adds, Message& message);
    static void add(KnowledgePtr& to, const KnowledgePtr& more);
    /// The steps of a fence, or of a releasing atomic, before and behind it.
    void step(unsigned rank);
    void atomic(unsigned rank, const Access& access, Message& message);
    /// Would an acquiring load there hear something new, and does nothing yet order it behind the last store? Then it may as well
    /// read what that store has replaced. `heard_time`: when the thread last heard of anybody. Sequential loads begin with a
    /// fence, which would see the store if another thread had fenced behind it.
    bool may_read_older(unsigned rank, const Access& access, const Message& message,
                        std::uint64_t heard_time) const;
    std::uint64_t heard_time(unsigned rank) const { return std::max(barrier_time_, heard_time_[rank]); }
    /// The message that the thread has read of whoever made the record, and why it orders nothing.
    Unheard why_unheard(const Record& record, unsigned rank) const;
    LaunchPoint launch(unsigned rank);

    /// The grid barrier: every block goes on with the same clock.
    std::uint32_t latest() const { return latest_; }
    void grid_barrier(std::uint32_t grid_clock);
    /// The same where all records of the grid have been forgotten.
    void grid_begins_anew(std::uint32_t grid_clock) { start(numbers_, number_, threads(), grid_clock); }

    /// A barrier where arriving and waiting are two steps (arrivals.cpp).
    void arrive_at(Arrivals& phase, unsigned rank);
    void wait_for(const ArrivalsPtr& phase, const void* barrier, unsigned rank);

  private:
    /// What a fence lets the next atomic tell: the thread's own accesses before this clock, and what it knew.
    struct Fenced {
        std::uint32_t clock = 0, barrier = 0;
        KnowledgePtr known;
    };
    struct ThreadMessages {
        KnowledgePtr known;  ///< heard and made effective
        KnowledgePtr
            heard;  ///< heard by an atomic that does not acquire, effective after the next fence or barrier
        KnowledgePtr polled;      ///< the same, by a mere load: effective after the next fence only
        KnowledgePtr awaited;     ///< the same, by a look at a signal: effective at once for what is written
        KnowledgePtr heard_near;  ///< likewise, from the thread's own block: a fence of the block is enough
        /// The message that was added last, and how it was read: who spins reads it again and again.
        KnowledgePtr last_wide, last_near;
        KnowledgePtr* last_into = nullptr;
        Fenced fenced, fenced_near;  ///< for all blocks, for its own one
        bool near_fence_after_hearing = false;
        Moment
            unheard_writer;  ///< who wrote what the thread has last read of others, and why that orders nothing
        Unheard unheard = Unheard::nothing;
    };
    KnowledgePtr news(unsigned rank, const Fenced& fenced) const;
    void publish(unsigned rank, bool wide, const Fenced& fenced, Message& message);
    void note_unheard(unsigned rank, const Access& access, const Message& message);
    bool heard_before(const Record& record, unsigned rank) const;
    bool waited_for(const Record& record, unsigned rank) const;
    KnowledgePtr known_to(unsigned rank) const;
    void share_phases();
    void share_phases(unsigned warp, std::uint32_t mask);
    void tell_phases(Knowledge& knowledge, unsigned rank) const;
    void note_time(unsigned rank);
    void set_own(unsigned rank, std::uint32_t clock);
    bool renew();
    void renew_in_time();
    void hear_all();
    void release_fenced();

    BlockNumbers* numbers_ = nullptr;
    std::uint32_t number_ = 0, barrier_clock_ = 1, grid_clock_ = 0, latest_ = 1;
    std::vector<std::uint32_t> own_;
    std::vector<std::vector<std::uint32_t>>
        lanes_;           ///< per warp, 32 x 32: what lane i knows of lane j; empty: nothing
    KnowledgePtr known_;  ///< shared by the whole block since its last barrier
    KnowledgePtr
        released_;  ///< by fences before the block's last barrier; any atomic after it publishes this
    bool has_messages_ = false;
    /// What a thread had read before the block's last barrier, and why that orders nothing for any of them.
    Moment unheard_writer_;
    Unheard unheard_ = Unheard::nothing;
    KnowledgePtr polled_, awaited_;          ///< by all of them; `awaited_` lasts until all know it
    std::uint64_t barrier_time_ = 0;         ///< see may_read_older
    std::vector<std::uint64_t> heard_time_;  ///< by rank: of its last fence, or of what it last heard
    std::unordered_map<unsigned, ThreadMessages> messages_;
    /// A phase that a thread has waited for.
    struct Waited {
        const void* barrier;
        ArrivalsPtr phase;
    };
    static void keep(std::vector<Waited>& all, const Waited& one);
    bool has_waited_ = false;
    std::vector<std::vector<Waited>> waited_;  ///< by rank, since the block's last barrier
    std::vector<Waited> all_have_waited_;
};

}  // namespace kit::cpu

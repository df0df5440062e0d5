// One resident block: which of its threads can run, which wait, and for what.
//
// The threads are bits, 32 to a warp, so choosing the next thread takes one instruction. The block runs until
// all threads have returned, or until all of them wait for something outside the block.
#pragma once

#include <cstdint>
#include <kit_cpu/launch.hpp>
#include <kit_cpu/turn.hpp>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "async_copies.hpp"
#include "builtin_variables.hpp"
#include "events.hpp"
#include "fiber.hpp"
#include "memory/shared_arena.hpp"
#include "schedule.hpp"

namespace kit::cpu {

struct Grid;
struct Worker;
class Cluster;

/// How many turns in advance the stack of a sleeping thread is prefetched. A thread without work reaches the
/// next barrier in a few nanoseconds, so one turn would not be enough.
constexpr unsigned soon = 3;

/// The reasons why a thread of a block waits.
enum class Wait : std::uint8_t {
    nothing,
    block_barrier,
    grid_barrier,
    cluster_barrier,
    barrier_object,
    warp_meeting,
    convergence
};

/// The state of a CUDA thread that has slept at least once.
struct ThreadState {
    Wait wait = Wait::nothing;
    std::uint32_t mask = 0;  ///< lanes named in the mask of the warp operation
    const char* what = "";
    Place place;
    const void* call = nullptr;  ///< return address of the waiting call
    const void* in = nullptr;
    void* out = nullptr;
    WarpCombine combine = nullptr;
    Returned returned = Returned::may_be_named;  ///< whether the meeting waits for lanes that have returned
    bool arrived = false;  ///< whether the thread has arrived at the barrier of the cluster and has not
                           ///< waited there yet
    unsigned phase = 0;    ///< phase of the cluster's barrier in which the thread arrived
};

/// The barrier of a tile of several warps. For each rank it has the thread's value and the place for its
/// result.
struct TileMeeting {
    explicit TileMeeting(unsigned size) : barrier{size, size, 0, 0}, in(size), out(size) {}
    BarrierState barrier;
    std::vector<const void*> in;
    std::vector<void*> out;
};

struct Warp {
    std::uint32_t exists = 0;      ///< lanes of this warp
    std::uint32_t unstarted = 0;   ///< lanes that have not started
    std::uint32_t ready = 0;       ///< lanes that slept and can continue
    std::uint32_t fragments = 0;   ///< kinds of fragments that operations of the warp have set (tensor.cpp)
    std::uint32_t yielded = 0;     ///< lanes that let other threads run first
    std::uint32_t waiting = 0;     ///< waiting lanes; `Wait` states the reason of each
    std::uint32_t at_barrier = 0;  ///< lanes in __syncthreads(), which have no reason in `Wait`
    std::uint32_t converging = 0;  ///< lanes that wait in __activemask()
    std::uint32_t done = 0;
    unsigned begin = 0;  ///< rank of the warp's first lane

    std::uint32_t runnable() const { return unstarted | ready; }
};

class Block {
  public:
    enum class Outcome { finished, spinning, at_grid_barrier, at_cluster_barrier, stopped };

    /// Starts the block with this index in this object, which keeps the stacks and the memory of the previous
    /// block.
    void start(Grid& grid, std::uint64_t index, Dice dice);

    /// Runs threads until none of the block can continue.
    Outcome run(Worker& worker);

    /// Returns the stack on which the next thread of the block runs: that of a sleeping thread, or a new one.
    /// Returns null if no thread can continue or the grid was stopped.
    void* next();
    void* next_after_return();

    /// Returns whether all threads of the block wait at the grid barrier, until release_grid_barrier().
    bool waits_for_grid() const { return at_grid_barrier_ == threads_; }
    void release_grid_barrier();

    /// Adds the block, which has just started, to a cluster.
    void join(std::shared_ptr<Cluster> cluster);
    Cluster* cluster_or_null() const { return cluster_.get(); }
    Cluster& cluster();
    unsigned missing_in_cluster() const { return missing_in_cluster_; }
    bool waits_for_cluster() const {
        return waiting_for_cluster_ && !runnable_warps_ && !missing_in_cluster_;
    }
    void release_cluster_barrier();
    bool has_ended() const { return done_ == threads_; }

    /// Gives the fibers of threads that will never continue back to the pool.
    void abandon(Worker& worker);

    // The running thread calls the following functions (see thread.cpp). Each of these functions can put the
    // thread to sleep.
    int barrier(int predicate, const char* what, Place place);
    void meet(const char* what, std::uint32_t mask, const void* in, void* out, WarpCombine combine,
              Place place, Returned returned);
    std::uint32_t converged(Place place);
    void grid_barrier(Place place);
    bool arrive_at(BarrierState& barrier, long long update,
                   bool has_function);  ///< returns true for the last thread of the tile that arrives
    void complete_phase(BarrierState& barrier);
    void wait_for_phase(const BarrierState& barrier, unsigned phase, Place place, const char* what);
    void meet_in_tile(unsigned size, const char* what, const void* in, void* out, TileCombine combine,
                      Place place);
    void has_waited(const BarrierState& barrier, unsigned phase);
    void meet_at_number(unsigned number, unsigned threads, bool waits, Place place);
    void begin_copy(AsyncCopy copy, BarrierState* barrier);
    bool copies_in_flight() const { return copies_.in_flight(); }
    void commit_copies(bool bulk);
    void wait_for_copies(std::uint64_t prior, bool bulk);
    void expect_bytes(BarrierState& barrier, long long bytes);
    void cluster_arrive(Place place);
    void cluster_wait(Place place, const char* what);
    void* shared_variable(const void* key, const char* name, std::size_t size, std::size_t align);
    void* map_shared(const void* address, int rank, Place place);
    unsigned rank_of_shared(const void* address, Place place);
    void yield();
    /// Like yield, for a thread that waits until note_change() reports a change (pause.hpp).
    void yield_to_signals();

    /// Records how far threads ran without the executor (see Turn). Must be called before the functions
    /// below.
    void settle() {
        if (turn.loop != Count{} || turn.relay != Count{}) take_note_of_turn();
    }

    /// Calls the kernel for those lanes of the current warp that have not started. A fiber calls this
    /// function in a loop.
    void run_unstarted(Worker& worker);

    NotesPtr notes;  ///< the notes of the observer (the checks) about this block
    /// Whether plain loads and stores of the block are passed to the observer, which may change this when the
    /// block begins.
    bool reports_accesses = true;

    unsigned rank() const {
        if (!alone_) return rank_;
        if (turn.loop != Count{}) return rank_ + thread_index.x - static_cast<unsigned>(turn.first);
        return rank_ + static_cast<unsigned>(turn.ahead);
    }
    bool alone() const { return alone_; }
    unsigned threads() const { return threads_; }
    Grid& grid() const { return *grid_; }
    SharedArena& shared() { return shared_; }
    const SharedArena& shared() const { return shared_; }
    std::uint32_t linear_index() const { return static_cast<std::uint32_t>(linear_index_); }
    const Warp& warp() const { return *warp_; }
    void note_fragments(std::uint32_t kind) { warp_->fragments |= kind; }
    const uint3& index() const { return index_; }
    facts::Who thread(unsigned rank) const;
    facts::Who who(unsigned rank) const;  ///< returns the names of the thread, its block and its kernel, for
                                          ///< reports
    /// Adds the state of each thread of the block to a finding: where it waits, or that it can continue, has
    /// returned or has not started. Adds nothing if threads run without the executor.
    void add_state(Finding& finding);

  private:
    void sleep(Wait wait, const char* what, Place place);
    void hand_over();
    void* choose();
    void* stack_for_new_threads();
    void wake(unsigned rank);
    void set_rank(unsigned rank);
    bool may_loop() const;
    bool all_have_looped();
    void let_relay();
    void prepare_warp(Warp& warp);
    void take_note_of_turn();
    bool release_converged(Warp& warp, unsigned warp_index);
    bool release_yielded();
    void leave_cluster();
    void finish_barrier();
    bool phase_may_end(BarrierState& barrier);
    void land(const AsyncCopy& copy);
    void end_copies();
    void tell(BarrierStep::Step step, const BarrierState& barrier, unsigned phase);
    Outcome nothing_runnable();
    void report_divergence(Place place, const char* what);
    void report_deadlock();
    void note_barrier();
    Finding who_waits(const char* kind, Place place) const;
    std::uint32_t absent_lanes(unsigned rank) const;
    bool continue_without_returned();
    static std::uint32_t awaited(const Warp& warp, const ThreadState& by);
    bool release_met(const Warp& warp, unsigned warp_index);
    bool all_meet(unsigned warp_index, std::uint32_t lanes, const ThreadState& with) const;
    void finish_meeting(unsigned warp_index, std::uint32_t mask, WarpCombine combine);

    Grid* grid_ = nullptr;
    Worker* worker_ = nullptr;
    uint3 index_{};
    unsigned threads_ = 0, done_ = 0;
    unsigned rank_ = 0;     ///< rank of the thread that runs or is about to run
    Warp* warp_ = nullptr;  ///< the warp of that thread
    std::uint32_t runnable_warps_ = 0;
    std::vector<Warp> warps_;
    std::vector<ThreadState> states_;
    std::vector<void*> stacks_;  ///< stacks of sleeping threads; null for all others
    bool in_order_ = true;       ///< whether the schedule's order is forward
    bool alone_ = true;  ///< whether the order is forward and nothing observes, so threads can continue
                         ///< without the executor
    unsigned at_barrier_ = 0, at_grid_barrier_ = 0;
    int barrier_count_ = 0, barrier_result_ = 0;
    Place barrier_place_;
    const void* barrier_call_ = nullptr;
    const char* barrier_what_ = "";
    unsigned barrier_first_ = 0;
    Dice dice_;
    SharedArena shared_;
    std::uint64_t linear_index_ = 0;
    unsigned long number_ = 0;          ///< number of the block for block_number()
    std::shared_ptr<Cluster> cluster_;  ///< null for a block without a cluster, or before its cluster is
                                        ///< first used
    unsigned missing_in_cluster_ = 0;   ///< number of threads for which the barrier of the cluster still
                                        ///< waits
    unsigned waiting_for_cluster_ = 0;
    AsyncCopies copies_;                   ///< asynchronous copies of the block that are in flight
    std::uint64_t loads_before_copy_ = 0;  ///< loads of shared memory before the first thread's last copy
    /// Meetings of tiles of several warps, by size and number of the tile and by the call in which its
    /// threads meet.
    std::map<std::tuple<unsigned, unsigned, const char*, TileCombine>, std::unique_ptr<TileMeeting>> tiles_;
};

}  // namespace kit::cpu

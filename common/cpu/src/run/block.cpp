// Runs one block: chooses the thread that runs next, and updates the bits of its threads at barriers,
// meetings and yields.
#include "block.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "builtin_variables.hpp"
#include "caller.hpp"
#include "grid.hpp"
#include "hand_over.hpp"
#include "source/who.hpp"
#include "worker.hpp"

namespace kit::cpu {
namespace {

constexpr std::uint32_t bit(unsigned lane) {
    return 1u << lane;
}

}  // namespace

void Block::start(Grid& grid, std::uint64_t index, Dice dice) {
    static __thread unsigned long blocks;
    grid_ = &grid;
    number_ = ++blocks;
    linear_index_ = index;
    index_ = unflatten(index, grid.launch.grid);
    threads_ = grid.threads_per_block;
    done_ = at_barrier_ = at_grid_barrier_ = 0;
    barrier_count_ = 0;
    cluster_.reset();
    missing_in_cluster_ = waiting_for_cluster_ = 0;
    copies_.start(threads_);
    tiles_.clear();
    dice_ = dice;
    const unsigned warps = (threads_ + 31) / 32;
    warps_.assign(warps, Warp{});
    for (unsigned w = 0; w < warps; ++w) {
        const unsigned lanes = threads_ - w * 32;
        warps_[w].exists = warps_[w].unstarted = lanes >= 32 ? ~0u : bit(lanes) - 1;
        warps_[w].begin = w * 32;
    }
    // the warp of rank_ gets the first turn
    set_rank(grid.schedule.order == Order::reverse ? threads_ - 1 : 0);
    runnable_warps_ = warps >= 32 ? ~0u : bit(warps) - 1;
    if (states_.size() < threads_) {
        states_.resize(threads_);
        stacks_.resize(threads_ + soon + 1);  // the extra entries let a thread look past the last one
    }
    in_order_ = grid.schedule.order == Order::forward;
    alone_ = in_order_ && !observed();
    reports_accesses = true;
    shared_.reserve();
    observer().block_begins(*this);  // shared memory still has the contents that the previous block left
    shared_.reset(grid.launch.dynamic_shared);
}

Block::Outcome Block::run(Worker& worker) {
    worker_ = &worker;
    worker.block = this;
    shared_memory = shared_.begin();
    block_number = number_;
    block_index = index_;
    block_dim = grid_->launch.block;
    grid_dim = grid_->launch.grid;
    while (!grid_->stopped()) {
        void* const stack = next();
        if (!stack && !runnable_warps_) return nothing_runnable();
        if (stack) worker.resume(stack);
        if (done_ == threads_) return nothing_runnable();
    }
    return Outcome::stopped;
}

/// Called when the current thread sleeps or has returned. Chooses another thread that can run.
void* Block::choose() {
    const Order order = grid_->schedule.order;
    unsigned w = rank_ / 32;
    if (!warps_[w].runnable() && !release_met(warps_[w], w) && !release_converged(warps_[w], w))
        runnable_warps_ &= ~bit(w);
    if (!runnable_warps_ || grid_->stopped()) return nullptr;
    // A warp keeps running while it can continue. With the random order, warps interleave instead.
    if (!(runnable_warps_ & bit(w)) || order == Order::random) w = pick(runnable_warps_, order, dice_);
    Warp& warp = warps_[w];
    const unsigned lane = pick(warp.runnable(), order, dice_);
    if (warp.unstarted & bit(lane)) {
        if (alone_ && at_barrier_) prepare_warp(warp);
        if (warp.unstarted & bit(lane)) {
            set_rank(w * 32 + lane);
            return stack_for_new_threads();
        }
    }
    set_rank(w * 32 + lane);
    if (alone_) let_relay();
    warp.ready &= ~bit(lane);
    return std::exchange(stacks_[rank_], nullptr);
}

/// Other threads of the block wait at a barrier, so the threads of this warp probably will as well. Each
/// thread of the warp gets its own stack in advance.
void Block::prepare_warp(Warp& warp) {
    for (; warp.unstarted; warp.unstarted &= warp.unstarted - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(warp.unstarted));
        Fiber* const fiber = worker_->fibers.take();
        if (!fiber) return;
        stacks_[warp.begin + lane] = fiber->stack;
        warp.ready |= bit(lane);
    }
}

void* Block::stack_for_new_threads() {
    Fiber* const fiber = worker_->fibers.take();
    worker_->fiber = fiber ? fiber : worker_->fiber;
    if (!fiber)
        grid_->stop(cudaErrorMemoryAllocation, Finding(facts::Rule::no_stacks).with("threads", threads_));
    return fiber ? fiber->stack : nullptr;
}

void Block::set_rank(unsigned rank) {
    rank_ = rank;
    warp_ = &warps_[rank / 32];
}

void Block::take_note_of_turn() {
    const unsigned first = rank_, now = rank();
    if (turn.loop != Count{}) {
        for (; rank_ < now; set_rank(warp_->begin + 32)) {  // the threads before `rank_` have returned
            const unsigned lanes = now - warp_->begin;
            warp_->done |= lanes < 32 ? bit(lanes) - 1 : ~0u;
            warp_->unstarted &= ~warp_->done;
            if (lanes < 32) break;
        }
        set_rank(now);
        warp_->unstarted &= ~bit(now % 32);
        done_ += now - first;
        runnable_warps_ &= ~0u << now / 32;
    } else {
        const std::uint32_t lanes =
            bit(now % 32) - bit(first % 32);  // the threads before `now` have returned or wait at the barrier
        warp_->ready &= ~(lanes | bit(now % 32));
        warp_->at_barrier |= lanes & ~warp_->done;
        at_barrier_ += static_cast<unsigned>(__builtin_popcount(lanes & ~warp_->done));
        rank_ = now;
    }
    turn.ahead = turn.loop = turn.relay = Count{};
}

void Block::sleep(Wait wait, const char* what, Place place) {
    ThreadState& state = states_[rank_];
    state.wait = wait;
    state.what = what;
    state.place = place;
    state.call = worker_->call;
    if (wait != Wait::nothing) warps_[rank_ / 32].waiting |= bit(rank_ % 32);
    hand_over();
    states_[rank_].wait = Wait::nothing;
}

void Block::wake(unsigned rank) {
    Warp& warp = warps_[rank / 32];
    states_[rank].wait = Wait::nothing;
    warp.waiting &= ~bit(rank % 32);
    warp.ready |= bit(rank % 32);
    runnable_warps_ |= bit(rank / 32);
}

void Block::meet(const char* what, std::uint32_t mask, const void* in, void* out, WarpCombine combine,
                 Place place, Returned returned) {
    settle();
    const unsigned w = rank_ / 32, lane = rank_ % 32;
    Warp& warp = warps_[w];
    if (!(mask & bit(lane))) {
        stop_kernel(cudaErrorLaunchFailure, finding(facts::Rule::lane_not_named, running_spot(place), place)
                                                .by(thread(rank_))
                                                .with("function", what)
                                                .with("mask", mask)
                                                .with("lane", lane));
    }
    mask &= warp.exists;
    ThreadState* lanes = &states_[w * 32];
    lanes[lane].in = in;
    lanes[lane].out = out;
    lanes[lane].mask = mask;
    lanes[lane].what = what;
    lanes[lane].combine = combine;
    lanes[lane].returned = returned;
    const std::uint32_t here = awaited(warp, lanes[lane]), others = here & ~bit(lane);
    if ((others & ~warp.waiting) || !all_meet(w, others, lanes[lane]))
        return sleep(Wait::warp_meeting, what, place);
    finish_meeting(w, here, combine);
}

/// Returns the lanes for which a thread waits in a warp operation.
std::uint32_t Block::awaited(const Warp& warp, const ThreadState& by) {
    return by.returned == Returned::may_be_named ? by.mask & ~warp.done : by.mask;
}

/// Completes the warp operations that waited only for lanes that have since returned.
bool Block::release_met(const Warp& warp, unsigned warp_index) {
    if (!warp.done) return false;
    bool any = false;
    for (std::uint32_t rest = warp.waiting; rest; rest &= rest - 1) {
        const ThreadState& state = states_[warp_index * 32 + static_cast<unsigned>(__builtin_ctz(rest))];
        if (state.wait != Wait::warp_meeting) continue;
        const std::uint32_t here = awaited(warp, state);
        if (!all_meet(warp_index, here, state)) continue;
        finish_meeting(warp_index, here, state.combine);
        rest &= warp.waiting | (rest & -rest);
        any = true;
    }
    return any;
}

/// Returns whether all of these lanes wait in the same operation with the same mask.
bool Block::all_meet(unsigned warp_index, std::uint32_t lanes, const ThreadState& with) const {
    for (std::uint32_t rest = lanes; rest; rest &= rest - 1) {
        const ThreadState& other = states_[warp_index * 32 + static_cast<unsigned>(__builtin_ctz(rest))];
        if (other.wait != Wait::warp_meeting || other.mask != with.mask ||
            std::strcmp(other.what, with.what) != 0)
            return false;
    }
    return true;
}

/// Exchanges the data of the lanes that have met in a warp operation, and wakes those that sleep.
void Block::finish_meeting(unsigned warp_index, std::uint32_t mask, WarpCombine combine) {
    ThreadState* lanes = &states_[warp_index * 32];
    // Shuffles and votes exchange values but do not order memory. A meeting without an exchange is a
    // __syncwarp().
    BarrierStep step = {BarrierStep::Of::warp, BarrierStep::Step::complete, *this, warp_index, mask};
    if (combine) {
        const void* inputs[32] = {};
        void* outputs[32] = {};
        for (std::uint32_t rest = mask; rest; rest &= rest - 1) {
            const int lane = __builtin_ctz(rest);
            inputs[lane] = lanes[lane].in;
            outputs[lane] = lanes[lane].out;
            step.what = lanes[lane].what;
        }
        step.of = BarrierStep::Of::exchange;
        step.passed = inputs;
        observer().barrier(step);
        combine(mask, inputs, outputs);
    } else {
        observer().barrier(step);
    }
    ++worker_->counters.warp_collectives;
    for (std::uint32_t rest = mask & warps_[warp_index].waiting; rest; rest &= rest - 1)
        wake(warp_index * 32 + static_cast<unsigned>(__builtin_ctz(rest)));
}

std::uint32_t Block::converged(Place place) {
    settle();
    std::uint32_t together = 0;
    states_[rank_].out = &together;
    warps_[rank_ / 32].converging |= bit(rank_ % 32);
    sleep(Wait::convergence, "__activemask()", place);
    return together;
}

/// Lets the lanes that wait at one call of __activemask() continue together, once no other lane of the warp
/// can run.
bool Block::release_converged(Warp& warp, unsigned warp_index) {
    ThreadState* lanes = &states_[warp_index * 32];
    std::uint32_t together = 0;
    Place place;
    for (std::uint32_t rest = warp.converging; rest; rest &= rest - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
        if (!together) place = lanes[lane].place;
        if (same_place(place, lanes[lane].place)) together |= bit(lane);
    }
    if (!together) return false;
    // Hardware does not guarantee which lanes are converged, so the random order varies it.
    if (grid_->schedule.order == Order::random && dice_.one_in(4)) {
        const std::uint32_t part = together & dice_.roll();
        if (part) together = part;
    }
    warp.converging &= ~together;
    for (std::uint32_t rest = together; rest; rest &= rest - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
        *static_cast<std::uint32_t*>(lanes[lane].out) = together;
        wake(warp_index * 32 + lane);
    }
    return true;
}

void Block::grid_barrier(Place place) {
    settle();
    ++at_grid_barrier_;
    if (waits_for_grid()) observer().barrier({BarrierStep::Of::grid, BarrierStep::Step::arrived, *this});
    sleep(Wait::grid_barrier, "grid.sync()", place);
}

void Block::release_grid_barrier() {
    at_grid_barrier_ = 0;
    observer().barrier({BarrierStep::Of::grid, BarrierStep::Step::passed, *this});
    for (unsigned rank = 0; rank < threads_; ++rank)
        if (states_[rank].wait == Wait::grid_barrier) wake(rank);
}

void Block::yield() {
    ++worker_->looks;
    yield_to_signals();
}

void Block::yield_to_signals() {
    settle();
    warps_[rank_ / 32].yielded |= bit(rank_ % 32);
    sleep(Wait::nothing, "yield", {});
}

bool Block::release_yielded() {
    bool any = false;
    for (unsigned w = 0; w < warps_.size(); ++w) {
        Warp& warp = warps_[w];
        if (!warp.yielded) continue;
        any = true;
        warp.ready |= warp.yielded;
        warp.yielded = 0;
        runnable_warps_ |= bit(w);
    }
    return any;
}

Block::Outcome Block::nothing_runnable() {
    if (done_ == threads_) {
        end_copies();
        observer().block_ended(*this);
        if (const facts::Memory damaged = shared_.damaged(); is_known(damaged))
            add_finding(finding_about(facts::Rule::wrote_past_end, grid_->launch.place)
                            .by(name_block(index_of(index_)))
                            .on(damaged)
                            .in(grid_->launch.name));
        return Outcome::finished;
    }
    if (release_yielded()) return Outcome::spinning;
    if (at_grid_barrier_ == threads_) return Outcome::at_grid_barrier;
    if (waiting_for_cluster_ && !missing_in_cluster_) return Outcome::at_cluster_barrier;
    note_barrier();
    if (done_ && continue_without_returned()) return Outcome::spinning;
    report_deadlock();
    return Outcome::stopped;
}

/// Continues when some threads of the block have returned, because hardware does not wait for them. At a
/// barrier of the block and in a collective function of a group, that is an error, which this function
/// reports first.
bool Block::continue_without_returned() {
    if (at_barrier_ && at_barrier_ + done_ == threads_) {
        add_finding(who_waits("barrier", barrier_place_));
        finish_barrier();
        set_rank(0);
        return true;
    }
    bool any = false;
    for (unsigned w = 0; w < warps_.size(); ++w) {
        Warp& warp = warps_[w];
        for (std::uint32_t rest = warp.waiting; rest; rest &= rest - 1) {
            const unsigned rank = w * 32 + static_cast<unsigned>(__builtin_ctz(rest));
            const ThreadState& state = states_[rank];
            if (state.wait != Wait::warp_meeting) continue;
            const std::uint32_t here = state.mask & ~warp.done;
            if (here == state.mask || !all_meet(w, here, state)) continue;
            add_finding(who_waits("warp", state.place));
            finish_meeting(w, here, state.combine);
            any = true;
            break;
        }
    }
    return any;
}

void Block::abandon(Worker& worker) {
    for (unsigned w = 0; w < warps_.size(); ++w) {
        const Warp& warp = warps_[w];
        for (std::uint32_t rest = warp.exists & ~(warp.unstarted | warp.done); rest; rest &= rest - 1) {
            const unsigned rank = w * 32 + static_cast<unsigned>(__builtin_ctz(rest));
            if (stacks_[rank]) worker.fibers.abandon(std::exchange(stacks_[rank], nullptr));
            states_[rank] = {};
        }
    }
}

}  // namespace kit::cpu

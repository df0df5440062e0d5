// Running one block: who goes next, and what barriers, meetings and yields do to the bits.
#include "block.hpp"

#include <cstring>
#include <utility>

#include "builtin_variables.hpp"
#include "grid.hpp"
#include "words/phrases.hpp"
#include "worker.hpp"

namespace kit::cpu {
namespace {

uint3 unflatten(std::uint64_t index, const dim3& size) {
    if (index < size.x) return {static_cast<unsigned>(index), 0, 0};
    const std::uint64_t rows = index / size.x;
    return {static_cast<unsigned>(index % size.x), static_cast<unsigned>(rows % size.y),
            static_cast<unsigned>(rows / size.y)};
}

bool same_place(Place a, Place b) {
    return a.line == b.line && !std::strcmp(a.file, b.file);
}

constexpr std::uint32_t bit(unsigned lane) {
    return 1u << lane;
}

}  // namespace

void Block::start(Grid& grid, std::uint64_t index, Dice dice) {
    grid_ = &grid;
    linear_index_ = index;
    index_ = unflatten(index, grid.launch.grid);
    threads_ = grid.threads_per_block;
    done_ = at_barrier_ = at_grid_barrier_ = 0;
    barrier_count_ = 0;
    cluster_.reset();
    missing_in_cluster_ = waiting_for_cluster_ = 0;
    dice_ = dice;
    rank_ = grid.schedule.order == Order::reverse ? threads_ - 1 : 0;  // whose warp has the first turn
    const unsigned warps = (threads_ + 31) / 32;
    warps_.assign(warps, Warp{});
    for (unsigned w = 0; w < warps; ++w) {
        const unsigned lanes = threads_ - w * 32;
        warps_[w].exists = warps_[w].unstarted = lanes >= 32 ? ~0u : bit(lanes) - 1;
    }
    runnable_warps_ = warps >= 32 ? ~0u : bit(warps) - 1;
    if (states_.size() < threads_) states_.resize(threads_);
    shared_.reserve();
    observer().block_begins(*this);  // while the shared memory is as the block before has left it
    shared_.reset(grid.launch.dynamic_shared);
}

Block::Outcome Block::run(Worker& worker) {
    worker_ = &worker;
    worker.block = this;
    block_index = index_;
    block_dim = grid_->launch.block;
    grid_dim = grid_->launch.grid;
    const Order order = grid_->schedule.order;
    unsigned w = rank_ / 32;
    while (!grid_->stopped()) {
        if (!runnable_warps_) return nothing_runnable();
        // A warp keeps its turn while it can go on; the random order interleaves warps instead.
        if (!(runnable_warps_ & bit(w)) || order == Order::random) w = pick(runnable_warps_, order, dice_);
        Warp& warp = warps_[w];
        resume(w * 32 + pick(warp.runnable(), order, dice_));
        if (!warp.runnable() && !release_converged(warp, w)) runnable_warps_ &= ~bit(w);
    }
    return Outcome::stopped;
}

void Block::become(unsigned rank) {
    rank_ = rank;
    thread_index = unflatten(rank, grid_->launch.block);
}

void Block::resume(unsigned rank) {
    Warp& warp = warps_[rank / 32];
    become(rank);
    if (warp.unstarted & bit(rank % 32)) {
        Fiber* runner = worker_->fibers.take();
        if (!runner) {
            grid_->stop(cudaErrorMemoryAllocation,
                        {"memory",
                         "no memory for the stacks of " + std::to_string(threads_) + " waiting threads",
                         {}});
            return;
        }
        worker_->resume(runner);
    } else {
        warp.ready &= ~bit(rank % 32);
        worker_->resume(std::exchange(states_[rank].fiber, nullptr));
    }
}

void Block::run_unstarted(Worker& worker) {
    const Order order = grid_->schedule.order;
    for (unsigned w = rank_ / 32; warps_[w].unstarted && !grid_->stopped(); w = rank_ / 32) {
        // The thread at hand if it has not begun (the scheduler chose it), else any other of this warp.
        Warp& warp = warps_[w];
        if (!(warp.unstarted & bit(rank_ % 32))) become(w * 32 + pick(warp.unstarted, order, dice_));
        warp.unstarted &= ~bit(rank_ % 32);
        worker.in_thread = true;
        worker.in_executor = false;
        worker.at = nullptr;
        grid_->launch.body->run();
        worker.in_thread = false;
        warps_[rank_ / 32].done |= bit(rank_ % 32);
        ++done_;
        if (cluster_) leave_cluster();
    }
}

void Block::sleep(Wait wait, const char* what, Place place) {
    const unsigned rank = rank_;
    ThreadState& state = states_[rank];
    state.fiber = worker_->fiber;
    state.wait = wait;
    state.what = what;
    state.place = place;
    if (wait != Wait::nothing) warps_[rank / 32].waiting |= bit(rank % 32);
    worker_->leave(Worker::Leave::asleep);
}

void Block::wake(unsigned rank) {
    Warp& warp = warps_[rank / 32];
    states_[rank].wait = Wait::nothing;
    warp.waiting &= ~bit(rank % 32);
    warp.ready |= bit(rank % 32);
    runnable_warps_ |= bit(rank / 32);
}

int Block::barrier(int predicate, const char* what, Place place) {
    if (!at_barrier_) {
        barrier_place_ = place;
        barrier_what_ = what;
        barrier_first_ = rank_;
    } else if (!same_place(place, barrier_place_)) {
        report_divergence(place, what);
    }
    barrier_count_ += predicate != 0;
    ++at_barrier_;
    if (at_barrier_ == threads_) {
        finish_barrier();
    } else {
        sleep(Wait::block_barrier, what, place);
    }
    return barrier_result_;
}

void Block::finish_barrier() {
    observer().barrier({BarrierStep::Of::block, BarrierStep::Step::complete, *this});
    barrier_result_ = barrier_count_;
    at_barrier_ = 0;
    barrier_count_ = 0;
    ++worker_->counters.block_barriers;
    for (unsigned rank = 0; rank < threads_; ++rank)
        if (states_[rank].wait == Wait::block_barrier && rank != rank_) wake(rank);
}

void Block::meet(const char* what, std::uint32_t mask, const void* in, void* out, WarpCombine combine,
                 Place place) {
    const unsigned w = rank_ / 32, lane = rank_ % 32;
    Warp& warp = warps_[w];
    if (!(mask & bit(lane))) {
        stop_kernel(cudaErrorLaunchFailure, "warp",
                    (std::string(what) + " at " + describe(place) + " names the lanes " + hexadecimal(mask) +
                     ", but lane " + std::to_string(lane) + ", which calls it, is not among them (" +
                     thread_name(rank_) + ")")
                        .c_str(),
                    place);
    }
    mask &= warp.exists;
    ThreadState* lanes = &states_[w * 32];
    lanes[lane].in = in;
    lanes[lane].out = out;
    lanes[lane].mask = mask;
    lanes[lane].what = what;
    const std::uint32_t others = mask & ~bit(lane);
    lanes[lane].combine = combine;
    if ((others & ~warp.waiting) || !all_meet(w, others, lanes[lane]))
        return sleep(Wait::warp_meeting, what, place);
    finish_meeting(w, mask, combine);
}

/// Do these lanes wait in the same operation with the same mask?
bool Block::all_meet(unsigned warp_index, std::uint32_t lanes, const ThreadState& with) const {
    for (std::uint32_t rest = lanes; rest; rest &= rest - 1) {
        const ThreadState& other = states_[warp_index * 32 + static_cast<unsigned>(__builtin_ctz(rest))];
        if (other.wait != Wait::warp_meeting || other.mask != with.mask ||
            std::strcmp(other.what, with.what) != 0)
            return false;
    }
    return true;
}

/// Exchanges the data of the lanes that met and lets those go on that sleep.
void Block::finish_meeting(unsigned warp_index, std::uint32_t mask, WarpCombine combine) {
    ThreadState* lanes = &states_[warp_index * 32];
    // Shuffles and votes exchange values but order no memory; a meeting without an exchange is __syncwarp().
    if (!combine)
        observer().barrier({BarrierStep::Of::warp, BarrierStep::Step::complete, *this, warp_index, mask});
    if (combine) {
        const void* inputs[32] = {};
        void* outputs[32] = {};
        for (std::uint32_t rest = mask; rest; rest &= rest - 1) {
            const int lane = __builtin_ctz(rest);
            inputs[lane] = lanes[lane].in;
            outputs[lane] = lanes[lane].out;
        }
        combine(mask, inputs, outputs);
    }
    ++worker_->counters.warp_collectives;
    for (std::uint32_t rest = mask & warps_[warp_index].waiting; rest; rest &= rest - 1)
        wake(warp_index * 32 + static_cast<unsigned>(__builtin_ctz(rest)));
}

std::uint32_t Block::converged(Place place) {
    std::uint32_t together = 0;
    states_[rank_].out = &together;
    sleep(Wait::convergence, "__activemask()", place);
    return together;
}

/// Lets the lanes that stand at one place of __activemask() go on together, once no other lane of the warp
/// can move.
bool Block::release_converged(Warp& warp, unsigned warp_index) {
    ThreadState* lanes = &states_[warp_index * 32];
    std::uint32_t together = 0;
    Place place;
    for (std::uint32_t rest = warp.waiting; rest; rest &= rest - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
        if (lanes[lane].wait != Wait::convergence) continue;
        if (!together) place = lanes[lane].place;
        if (same_place(place, lanes[lane].place)) together |= bit(lane);
    }
    if (!together) return false;
    // Hardware promises nothing about who is converged; the random order makes use of that.
    if (grid_->schedule.order == Order::random && dice_.one_in(4)) {
        const std::uint32_t part = together & dice_.roll();
        if (part) together = part;
    }
    for (std::uint32_t rest = together; rest; rest &= rest - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
        *static_cast<std::uint32_t*>(lanes[lane].out) = together;
        wake(warp_index * 32 + lane);
    }
    return true;
}

void Block::grid_barrier(Place place) {
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
        observer().block_ended(*this);
        const std::string damaged = shared_.damaged();
        if (!damaged.empty()) {
            add_finding(
                {"address",
                 "`" + grid_->launch.name + "` wrote past the end of " + damaged + " in " + block_name(),
                 grid_->launch.place});
        }
        return Outcome::finished;
    }
    if (release_yielded()) return Outcome::spinning;
    if (at_grid_barrier_ == threads_) return Outcome::at_grid_barrier;
    if (waiting_for_cluster_ && !missing_in_cluster_) return Outcome::at_cluster_barrier;
    if (done_ && go_on_without_the_gone()) return Outcome::spinning;
    report_deadlock();
    return Outcome::stopped;
}

/// Hardware does not wait for threads that have returned. It is a mistake all the same: say so, then do as hardware does.
bool Block::go_on_without_the_gone() {
    if (at_barrier_ && at_barrier_ + done_ == threads_) {
        add_finding({"barrier", "barrier: " + describe_waiting(), barrier_place_});
        rank_ = threads_;  // nobody runs: all that wait are woken
        finish_barrier();
        rank_ = 0;
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
            add_finding({"warp", "warp: " + describe_waiting(), state.place});
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
            ThreadState& state = states_[w * 32 + __builtin_ctz(rest)];
            if (state.fiber) worker.fibers.abandon(state.fiber);
            state = {};
        }
    }
}

}  // namespace kit::cpu

// __syncthreads(), from the call to the switch of stacks, in one function. A further function call would add
// a frame to the stack of each waiting thread, which must be in the cache when the thread continues.
#include <cstring>
#include <kit_cpu/thread.hpp>

#include "block.hpp"
#include "caller.hpp"
#include "hand_over.hpp"
#include "source/source_lines.hpp"
#include "worker.hpp"

namespace kit::cpu {

[[gnu::always_inline]] inline int Block::barrier(int predicate, const char* what, Place place) {
    settle();
    if (!at_barrier_) {
        barrier_place_ = place;
        barrier_call_ = worker_->call;
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
        warp_->at_barrier |= 1u << rank_ % 32;
        hand_over();
    }
    return barrier_result_;
}

void Block::finish_barrier() {
    observer().barrier({BarrierStep::Of::block, BarrierStep::Step::complete, *this});
    barrier_result_ = barrier_count_;
    at_barrier_ = 0;
    barrier_count_ = 0;
    ++worker_->counters.block_barriers;
    for (unsigned w = 0; w < warps_.size(); ++w) {
        Warp& warp = warps_[w];
        if (warp.at_barrier) runnable_warps_ |= 1u << w;
        warp.ready |= std::exchange(warp.at_barrier, 0);
    }
}

void block_barrier(Place place, const char* what) {
    Caller(what)->barrier(0, what, place);
}

int block_barrier_count(int predicate, Place place, const char* what) {
    return Caller(what)->barrier(predicate, what, place);
}

// cuda::barrier in a block: arriving and waiting are two steps, and the barrier's count is in memory that the
// student declares.

void Block::tell(BarrierStep::Step step, const BarrierState& barrier, unsigned phase) {
    observer().barrier({BarrierStep::Of::object, step, *this, 0, 0, &barrier, phase});
}

namespace {

/// Ends the kernel, because the behaviour of a phase with more arrivals than expected is undefined.
[[noreturn]] void refuse_arrival(const BarrierState& barrier, long long update) {
    const Place place = source_line(static_cast<const char*>(this_worker->call) - 1);
    stop_kernel(cudaErrorLaunchFailure, finding(facts::Rule::too_many_arrivals, running_spot(place), place)
                                            .by(running_thread())
                                            .with("update", update)
                                            .with("missing", barrier.missing)
                                            .with("expected", barrier.expected));
}

}  // namespace

bool Block::arrive_at(BarrierState& barrier, long long update, bool has_function) {
    settle();
    tell(BarrierStep::Step::arrived, barrier, barrier.phase);
    copies_.arrived(barrier, rank_);
    if (barrier.missing >= 0 && update > barrier.missing) refuse_arrival(barrier, update);
    barrier.missing -= update;
    worker_->counters.barrier_arrivals += static_cast<std::uint64_t>(update);
    if (!phase_may_end(barrier)) return false;
    if (has_function) tell(BarrierStep::Step::passed, barrier, barrier.phase);
    return true;
}

/// Ends the phase after its last thread has run the completion function, which is part of the phase.
void Block::complete_phase(BarrierState& barrier) {
    tell(BarrierStep::Step::arrived, barrier, barrier.phase);
    tell(BarrierStep::Step::complete, barrier, barrier.phase);
    barrier.missing = barrier.expected;
    barrier.bytes = 0;
    ++barrier.phase;
    copies_.next_phase(barrier);
    for (unsigned rank = 0; rank < threads_; ++rank)
        if (states_[rank].wait == Wait::barrier_object && states_[rank].in == &barrier) wake(rank);
}

void Block::wait_for_phase(const BarrierState& barrier, unsigned phase, Place place, const char* what) {
    settle();
    if (barrier.phase == phase) {
        states_[rank_].in = &barrier;
        sleep(Wait::barrier_object, what, place);
    }
    has_waited(barrier, phase);
}

void Block::has_waited(const BarrierState& barrier, unsigned phase) {
    if (copies_.any() && copies_.ahead(barrier, phase)) ++worker_->counters.async_overlaps;
    tell(BarrierStep::Step::passed, barrier, phase);
}

}  // namespace kit::cpu

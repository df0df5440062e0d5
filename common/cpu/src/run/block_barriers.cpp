// cuda::barrier in a block: arriving and waiting are two steps, and the barrier's count is in memory that the
// student declares.
#include "block.hpp"
#include "source/source_lines.hpp"
#include "worker.hpp"

namespace kit::cpu {

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

// The class cuda::barrier in a block: arriving and waiting are two steps, and the count lies in the student's memory.
#include "block.hpp"
#include "checks/checker.hpp"
#include "worker.hpp"

namespace kit::cpu {

bool Block::arrive_at(BarrierState& barrier, long long update) {
    if (checks_) checks_->barriers.arrive(checks_->clocks, rank_, &barrier, barrier.phase);
    barrier.missing -= update;
    if (barrier.missing != 0) return false;
    has_waited(barrier, barrier.phase);
    return true;
}

/// What the last thread did in between, the completion function, belongs to the phase.
void Block::complete_phase(BarrierState& barrier) {
    if (checks_) {
        checks_->barriers.arrive(checks_->clocks, rank_, &barrier, barrier.phase);
        checks_->barriers.complete(&barrier);
    }
    barrier.missing = barrier.expected;
    ++barrier.phase;
    for (unsigned rank = 0; rank < threads_; ++rank)
        if (states_[rank].wait == Wait::barrier_object && states_[rank].in == &barrier) wake(rank);
}

void Block::wait_for_phase(const BarrierState& barrier, unsigned phase, Place place) {
    if (barrier.phase == phase) {
        states_[rank_].in = &barrier;
        sleep(Wait::barrier_object, "cuda::barrier::wait()", place);
    }
    has_waited(barrier, phase);
}

void Block::has_waited(const BarrierState& barrier, unsigned phase) {
    if (checks_) checks_->barriers.passed(checks_->clocks, rank_, &barrier, phase);
}

}  // namespace kit::cpu

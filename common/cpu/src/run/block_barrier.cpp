// __syncthreads(), from the call to the switch of stacks, in one function. A further function call would add
// a frame to the stack of each waiting thread, which must be in the cache when the thread continues.
#include <cstring>
#include <kit_cpu/thread.hpp>

#include "caller.hpp"
#include "hand_over.hpp"

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

}  // namespace kit::cpu

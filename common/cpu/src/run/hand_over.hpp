// Switches from a thread that waits to the thread that continues, from stack to stack, without the scheduler.
#pragma once

#include <utility>

#include "block.hpp"
#include "builtin_variables.hpp"
#include "grid.hpp"
#include "worker.hpp"

namespace kit::cpu {

/// Lets the ready threads of the chosen thread's warp run one after another without the executor.
[[gnu::always_inline]] inline void Block::let_relay() {
    const std::uint64_t others = ~std::uint64_t{warp_->ready >> (rank_ - warp_->begin)};
    turn.relay = Count(static_cast<unsigned>(__builtin_ctzll(others)) - 1);
    turn.stacks = &stacks_[rank_];
    turn.line = at_barrier_ ? barrier_place_.line : 0;
    turn.file = barrier_place_.file;
    thread_index = unflatten(rank_, grid_->launch.block);
    worker_->in_executor = false;  // needed because a thread that has slept in relayed() does not reset it
}

[[gnu::always_inline]] inline void* Block::next() {
    Warp& warp = *warp_;
    const std::uint32_t first = warp.ready & -warp.ready;
    // The common case: the order is forward, and a lane of the current warp that has a stack can continue.
    const bool common = in_order_ && first && !(warp.unstarted & (first - 1)) && !grid_->stopped();
    if (!common) return choose();
    rank_ = warp.begin + static_cast<unsigned>(__builtin_ctz(first));
    if (alone_) let_relay();
    warp.ready &= ~first;
    void** const place = &stacks_[rank_];
    if (place[soon]) fetch(place[soon]);
    return std::exchange(*place, nullptr);
}

/// Returns the stack of the next thread after the running thread has returned.
[[gnu::always_inline]] inline void* Block::next_after_return() {
    if (turn.ahead >= turn.relay) {
        settle();
        return next();
    }
    void** const place = turn.stacks + static_cast<unsigned>(turn.ahead) + 1;
    turn.ahead = Count(static_cast<unsigned>(turn.ahead) + 1);
    thread_index = unflatten(rank(), grid_->launch.block);
    if (place[soon]) fetch(place[soon]);
    return *place;
}

/// Puts the running thread, which is recorded as waiting, to sleep until another thread wakes it. The waking
/// thread sets rank_.
[[gnu::always_inline]] inline void Block::hand_over() {
    Worker* worker = this_worker;
    Fiber* const fiber = worker->fiber;
    const void* const at = worker->at;
    const uint3 index = thread_index;
    void** const mine = &stacks_[rank_];
    *mine = mine;  // the next thread can be the running thread itself
    void* const other = next();
    if (other == mine) return;
    switch_stack(mine, other ? other : worker->scheduler);
    worker = this_worker;  // the same value as on the stack, but available before the stack is in the cache
    worker->fiber = fiber;
    worker->at = at;
    thread_index = index;
}

}  // namespace kit::cpu

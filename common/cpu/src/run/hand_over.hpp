// How a thread that waits hands over to the one that goes on: from stack to stack, without the scheduler in between.
#pragma once

#include <utility>

#include "block.hpp"
#include "builtin_variables.hpp"
#include "grid.hpp"
#include "worker.hpp"

namespace kit::cpu {

[[gnu::always_inline]] inline void* Block::next() {
    Warp& warp = *warp_;
    const std::uint32_t first = warp.ready & -warp.ready;
    // The common case: forward, and the warp at hand can go on with a lane that has a stack.
    const bool common = in_order_ && first && !(warp.unstarted & (first - 1)) && !grid_->stopped();
    if (!common) return choose();
    warp.ready &= ~first;
    rank_ = warp.begin + static_cast<unsigned>(__builtin_ctz(first));
    void** const place = &stacks_[rank_];
    if (place[1]) fetch(place[1]);
    return std::exchange(*place, nullptr);
}

/// The running thread, which is noted as waiting, sleeps until somebody has woken it. Who wakes it sets its rank.
[[gnu::always_inline]] inline void Block::hand_over() {
    Worker* worker = this_worker;
    Fiber* const fiber = worker->fiber;
    const void* const at = worker->at;
    const uint3 index = thread_index;
    void** const mine = &stacks_[rank_];
    *mine = mine;  // it may be the next one itself
    void* const other = next();
    if (other == mine) return;
    switch_stack(mine, other ? other : worker->scheduler);
    worker = this_worker;  // the same, but at hand before the stack is
    worker->fiber = fiber;
    worker->at = at;
    thread_index = index;
}

}  // namespace kit::cpu

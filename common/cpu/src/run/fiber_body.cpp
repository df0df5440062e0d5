// The body of a fiber: runs threads until all have started, lets others continue, and waits for its next use.
// The body is a single function, because the processor mispredicts each return after a switch to a different
// stack.
#include "hand_over.hpp"

namespace kit::cpu {

/// Returns whether the threads after the chosen one can run in a loop, up to the end of the row: all threads
/// before it have returned.
bool Block::may_loop() const {
    return alone_ && done_ == rank_ && turn.relay == Count{} && !cluster_;
}

/// Called when all threads of the block have returned in one loop, so that no bits need an update.
[[gnu::always_inline]] inline bool Block::all_have_looped() {
    if (turn.loop == Count{} || static_cast<unsigned>(turn.loop) + 1 != threads_ || rank() + 1 != threads_)
        return false;
    turn.loop = Count{};
    done_ = threads_;
    runnable_warps_ = 0;
    return true;
}

/// Calls the kernel for the current thread, and for other threads of the warp that have not started.
[[gnu::always_inline]] inline void Block::run_unstarted(Worker& worker) {
    for (;;) {
        warp_->unstarted &= ~(1u << rank() % 32);
        thread_index = unflatten(rank(), grid_->launch.block);
        if (may_loop()) {
            turn.loop = Count(grid_->launch.block.x - 1 - thread_index.x);
            turn.first = Count(thread_index.x);
        }
        worker.in_thread = true;
        worker.in_executor = false;
        worker.at = nullptr;
        const KernelCall& call = *grid_->launch.body;
        call.loop ? call.loop(call.loop_arguments) : call.run();
        worker.in_thread = false;
        if (turn.relay == Count{}) {
            if (all_have_looped()) return;
            settle();
        }
        warp_->done |= 1u << rank() % 32;
        ++done_;
        if (cluster_) settle(), leave_cluster();
        if (!warp_->unstarted || grid_->stopped()) return;
        settle();
        set_rank(warp_->begin + pick(warp_->unstarted, grid_->schedule.order, dice_));
    }
}

void fiber_body() {
    Worker& worker = *this_worker;
    Fiber* const self = worker.fibers.find(__builtin_frame_address(0));
    for (;;) {
        worker.block->run_unstarted(worker);
        self->stack = self;
        worker.fibers.give(self);  // the pool can choose this same fiber as the next one
        void* const other = worker.block->next_after_return();
        if (other == self) continue;
        worker.in_thread = true;
        worker.in_executor = !worker.block->alone();
        switch_stack(&self->stack, other ? other : worker.scheduler);
    }
}

}  // namespace kit::cpu

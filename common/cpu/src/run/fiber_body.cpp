// What a fiber does: it runs threads until they are all begun, lets others go on, and waits to be used again. One function, as
// each return behind a switch to another stack is one that the processor does not expect.
#include "hand_over.hpp"

namespace kit::cpu {

/// Calls the kernel for lanes of the warp at hand that have not begun.
[[gnu::always_inline]] inline void Block::run_unstarted(Worker& worker) {
    const Order order = grid_->schedule.order;
    while (warp_->unstarted && !grid_->stopped()) {
        // The thread at hand if it has not begun (it was chosen), else any other of this warp.
        if (!(warp_->unstarted & 1u << rank_ % 32))
            become(warp_->begin + pick(warp_->unstarted, order, dice_));
        warp_->unstarted &= ~(1u << rank_ % 32);
        worker.in_thread = true;
        worker.in_executor = false;
        worker.at = nullptr;
        grid_->launch.body->run();
        worker.in_thread = false;
        warp_->done |= 1u << rank_ % 32;
        ++done_;
        if (cluster_) leave_cluster();
    }
}

void fiber_body() {
    Worker& worker = *this_worker;
    Fiber* const self = worker.fiber;
    for (;;) {
        worker.block->run_unstarted(worker);
        self->stack = self;
        worker.fibers.give(self);  // perhaps it is the next one itself
        void* const other = worker.block->next();
        if (other == self) continue;
        worker.in_thread = worker.in_executor = true;  // where a thread sleeps
        switch_stack(&self->stack, other ? other : worker.scheduler);
    }
}

}  // namespace kit::cpu

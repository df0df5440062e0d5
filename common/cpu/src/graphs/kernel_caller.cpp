// The order of two calls by kernels: a barrier orders two calls in one block, and the order of the work
// orders calls in two kernels.
#include "kernel_caller.hpp"

#include "run/stream.hpp"
#include "run/worker.hpp"

namespace kit::cpu {

KernelCaller KernelCaller::now(Place place) {
    const Block& block = *this_worker->block;
    return {work_now(), block.linear_index() * 1024 + block.rank(), this_worker->counters.block_barriers,
            running_thread(), place};
}

bool KernelCaller::is_ordered_with(const KernelCaller& later) const {
    if (!is_known()) return true;
    if (work.id != later.work.id || work.stream != later.work.stream)
        return work_order().ordered(work, later.work);
    const bool same_block = thread / 1024 == later.thread / 1024;
    return thread == later.thread || (same_block && barriers != later.barriers);
}

}  // namespace kit::cpu

// The executor's counters: one sum for the process.
#include "counters.hpp"

#include <mutex>

namespace kit::cpu {
namespace {

std::mutex mutex;
Counters total;

}  // namespace

void count_synchronization() {
    std::lock_guard lock(mutex);
    ++total.synchronizations;
}

void count_copy(std::size_t bytes) {
    std::lock_guard lock(mutex);
    total.copied_bytes += bytes;
}

void add_counters(const Counters& more) {
    std::lock_guard lock(mutex);
    total.kernels += more.kernels;
    total.child_kernels += more.child_kernels;
    total.blocks += more.blocks;
    total.threads += more.threads;
    total.block_barriers += more.block_barriers;
    total.warp_collectives += more.warp_collectives;
    total.atomics += more.atomics;
    total.synchronizations += more.synchronizations;
    total.copied_bytes += more.copied_bytes;
}

Counters counters() {
    std::lock_guard lock(mutex);
    return total;
}

void reset_counters() {
    std::lock_guard lock(mutex);
    total = {};
}

}  // namespace kit::cpu

// Sums of the executor's counters, one set for the whole process.
#include "counters.hpp"

#include <algorithm>
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

cudaError_t count_call(std::uint64_t Counters::*calls, cudaError_t error) {
    std::lock_guard lock(mutex);
    if (error == cudaSuccess) ++(total.*calls);
    return error;
}

void count_query(bool done) {
    static bool asked_too_early = false;
    std::lock_guard lock(mutex);
    if (asked_too_early && done) ++total.synchronizations;
    asked_too_early = !done;
}

void count_copy(std::size_t bytes) {
    std::lock_guard lock(mutex);
    total.copied_bytes += bytes;
}

void add_counters(const Counters& more) {
    std::lock_guard lock(mutex);
    total.kernels += more.kernels;
    total.child_kernels += more.child_kernels;
    total.child_depth = std::max(total.child_depth, more.child_depth);
    total.blocks += more.blocks;
    total.threads += more.threads;
    total.block_barriers += more.block_barriers;
    total.warp_collectives += more.warp_collectives;
    total.tensor_products += more.tensor_products;
    total.tensor_multiplications += more.tensor_multiplications;
    total.atomics += more.atomics;
    total.notifies += more.notifies;
    total.barriers_made += more.barriers_made;
    total.barrier_arrivals += more.barrier_arrivals;
    total.async_copies += more.async_copies;
    total.async_bytes += more.async_bytes;
    total.async_overlaps += more.async_overlaps;
    total.async_late += more.async_late;
    total.async_expected += more.async_expected;
    total.stores_during_copies += more.stores_during_copies;
    total.synchronizations += more.synchronizations;
    total.copied_bytes += more.copied_bytes;
    total.global_loads += more.global_loads;
    total.global_stores += more.global_stores;
    total.global_bytes_loaded += more.global_bytes_loaded;
    total.global_bytes_stored += more.global_bytes_stored;
    total.shared_loads += more.shared_loads;
    total.shared_stores += more.shared_stores;
    total.worst_contention = std::max(total.worst_contention, more.worst_contention);
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

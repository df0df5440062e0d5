// Counts the loads, stores and atomic updates of kernels.
#include "access_counter.hpp"

#include <algorithm>
#include <utility>

#include "run/block.hpp"

namespace kit::cpu {

void AccessCounter::access(Counters& counters, const Target& target, const Access& access,
                           bool update_begins) {
    if (update_begins) {
        Updates& here = updates_[access.address];
        const std::uint64_t holder = target.holder ? target.holder->linear_index() + std::uint64_t{1} : 0;
        if (std::exchange(here.holder, holder) != holder) here.count = 0;
        counters.worst_contention = std::max(counters.worst_contention, ++here.count);
        return;
    }
    // The access is part of an atomic update that has been counted.
    if (access.atomic && access.write && access.read) return;
    if (target.is_shared()) {
        ++(access.write ? counters.shared_stores : counters.shared_loads);
    } else if (target.memory != Target::Memory::constant) {
        ++(access.write ? counters.global_stores : counters.global_loads);
        (access.write ? counters.global_bytes_stored : counters.global_bytes_loaded) += access.bytes;
    }
}

}  // namespace kit::cpu

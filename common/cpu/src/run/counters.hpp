// Adding to the executor's counters (see Counters in kit_cpu/executor.hpp).
#pragma once

#include <cstddef>
#include <kit_cpu/executor.hpp>

namespace kit::cpu {

/// A host call waited for the device.
void count_synchronization();

/// A host call copied this many bytes.
void count_copy(std::size_t bytes);

/// What a worker counted during one kernel.
void add_counters(const Counters& more);

}  // namespace kit::cpu

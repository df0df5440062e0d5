// What the host API adds to the executor's counters (see Counters in kit_cpu/executor.hpp).
#pragma once

#include <cstddef>

namespace kit::cpu {

/// A host call waited for the device.
void count_synchronization();

/// A host call copied this many bytes.
void count_copy(std::size_t bytes);

}  // namespace kit::cpu

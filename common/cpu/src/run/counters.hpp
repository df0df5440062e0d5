// Functions that add to the executor's counters (see Counters in kit_cpu/executor.hpp).
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <kit_cpu/executor.hpp>

namespace kit::cpu {

/// Counts a host call that waited for the device.
void count_synchronization();

/// Counts a host call if it succeeded, and returns its error. Example: count_call(&Counters::captures,
/// error).
cudaError_t count_call(std::uint64_t Counters::*calls, cudaError_t error);

/// Counts a host call that polls whether work is done. If the work is done, the polling counts as one wait.
void count_query(bool done);

/// Counts bytes that a host call copied.
void count_copy(std::size_t bytes);

/// Adds the counts of one worker for one kernel.
void add_counters(const Counters& more);

}  // namespace kit::cpu

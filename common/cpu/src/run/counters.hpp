// Adding to the executor's counters (see Counters in kit_cpu/executor.hpp).
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <kit_cpu/executor.hpp>

namespace kit::cpu {

/// Counts a host call that waited for the device.
void count_synchronization();

/// Counts a host call if it succeeded: count_call(&Counters::captures, error)
cudaError_t count_call(std::uint64_t Counters::*calls, cudaError_t error);

/// Counts polling: a host call that asked whether work is done. Polling until it is done counts as a wait.
void count_query(bool done);

/// Counts bytes that a host call copied.
void count_copy(std::size_t bytes);

/// Adds the counts of a worker for one kernel.
void add_counters(const Counters& more);

}  // namespace kit::cpu

// Adding to the executor's counters (see Counters in kit_cpu/executor.hpp).
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <kit_cpu/executor.hpp>

namespace kit::cpu {

/// A host call waited for the device.
void count_synchronization();

/// A host call succeeded that is counted: count_call(&Counters::captures, error)
cudaError_t count_call(std::uint64_t Counters::*calls, cudaError_t error);

/// A host call asked whether work is done: who does so until it is has waited.
void count_query(bool done);

/// A host call copied this many bytes.
void count_copy(std::size_t bytes);

/// What a worker counted during one kernel.
void add_counters(const Counters& more);

}  // namespace kit::cpu

// Runs one launch from beginning to end: its blocks, spread over the cores.
#pragma once

#include <kit_cpu/launch.hpp>

namespace kit::cpu {

/// Runs the whole grid on the calling thread and the worker threads, and returns the execution error (cudaSuccess,
/// cudaErrorIllegalAddress, ...). Device memory must be accessible (see DeviceAccess in memory.hpp).
cudaError_t run_grid(const Launch& launch);

}  // namespace kit::cpu

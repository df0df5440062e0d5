// CUDA's error state: the last error of a thread, and the sticky error of the device.
#pragma once

#include <driver_types.h>

namespace kit::cpu {

/// Stores `error` for cudaGetLastError unless it is success, and returns it. cudaErrorNotReady is a result
/// and not stored.
cudaError_t note_error(cudaError_t error);

/// Returns the last error of the calling thread.
cudaError_t last_error();
void forget_last_error();

/// Returns the execution error that made the device unusable until cudaDeviceReset; cudaSuccess if there was
/// none.
cudaError_t sticky_error();
void set_sticky_error(cudaError_t error);

/// Clears the sticky error and the calling thread's last error (cudaDeviceReset).
void forget_errors();

}  // namespace kit::cpu

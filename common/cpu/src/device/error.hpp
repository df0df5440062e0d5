// The two states of CUDA's error reporting: the last error of a thread, and the sticky error of the device.
#pragma once

#include <driver_types.h>

namespace kit::cpu {

/// Stores `error` for cudaGetLastError if it is an error, and returns it. "Not ready" is an answer, not an error.
cudaError_t note_error(cudaError_t error);

/// Returns the stored error of the calling thread.
cudaError_t last_error();
void forget_last_error();

/// Returns the execution error that made the device unusable until cudaDeviceReset; cudaSuccess while all is well.
cudaError_t sticky_error();
void set_sticky_error(cudaError_t error);

/// Clears the sticky error and the calling thread's last error (cudaDeviceReset).
void forget_errors();

}  // namespace kit::cpu

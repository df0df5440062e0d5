// The part of CUDA's runtime that kernels can call: launches, streams, events, memory, and their errors.
//
// If device code calls a function of the runtime API, that function calls one of these functions. If CUDA
// supports a function only in host code, a call by device code ends the kernel with an error message
// (api.hpp).
#pragma once

#include <driver_types.h>

#include <functional>
#include <kit_cpu/launch.hpp>

namespace kit::cpu {

/// Queues a launch that device code wrote as kernel<<<>>>().
cudaError_t submit_from_kernel(Launch launch);

/// Runs `body` for device code. An error that it returns becomes the last error of the calling thread.
cudaError_t answer_kernel(const std::function<cudaError_t()>& body);

/// Returns the last error of the calling thread. `forget` clears it, as in cudaGetLastError;
/// cudaPeekAtLastError keeps it.
cudaError_t kernel_error(bool forget);

namespace device_runtime {

cudaError_t create_stream(cudaStream_t* stream, unsigned flags);
cudaError_t destroy_stream(cudaStream_t stream);
cudaError_t wait_for_event(cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t create_event(cudaEvent_t* event, unsigned flags);
cudaError_t record_event(cudaEvent_t event, cudaStream_t stream, unsigned flags);
cudaError_t destroy_event(cudaEvent_t event);

cudaError_t allocate(void** pointer, std::size_t bytes, Place place);
cudaError_t free(void* pointer, Place place);

/// Queues a copy whose arguments have been checked; `pointers` must not point to shared or local memory.
cudaError_t queue_copy(const char* what, Place place, cudaStream_t stream,
                       std::initializer_list<const void*> pointers, const std::function<cudaError_t()>& check,
                       std::function<cudaError_t()> run);

}  // namespace device_runtime
}  // namespace kit::cpu

// The part of CUDA's runtime that kernels can call: launches, streams, events, memory, and their errors.
//
// The functions of the API pass calls by device code to these. A call that CUDA supports only in host code ends the kernel with a
// sentence (api.hpp).
#pragma once

#include <driver_types.h>

#include <functional>
#include <kit_cpu/launch.hpp>

namespace kit::cpu {

/// kernel<<<>>> in device code.
cudaError_t submit_from_kernel(Launch launch);

/// Runs the body for device code. If it returns an error, that becomes the thread's last error.
cudaError_t answer_kernel(const std::function<cudaError_t()>& body);

/// Returns the calling thread's last error, for cudaGetLastError (which clears it) and cudaPeekAtLastError.
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

/// Queues a copy that has been checked; `pointers` must not lead to shared or local memory.
cudaError_t queue_copy(const char* what, Place place, cudaStream_t stream,
                       std::initializer_list<const void*> pointers, const std::function<cudaError_t()>& check,
                       std::function<cudaError_t()> run);

}  // namespace device_runtime
}  // namespace kit::cpu

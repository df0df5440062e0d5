// Counts how many times an exercise waits for the device. Replaces the waiting calls in the including file, and only
// there, with calls that count. Include kit.cuh first, so that its own waits are not counted.
#pragma once

#include <cuda_runtime.h>

#include "kit.cuh"

namespace error_handling {

/// Number of calls so far that wait: cudaDeviceSynchronize, cudaStreamSynchronize, cudaEventSynchronize, and copies that wait.
inline int counted_waits = 0;

inline cudaError_t counting_device_synchronize() {
    ++counted_waits;
    return cudaDeviceSynchronize();
}

inline cudaError_t counting_stream_synchronize(cudaStream_t stream) {
    ++counted_waits;
    return cudaStreamSynchronize(stream);
}

inline cudaError_t counting_event_synchronize(cudaEvent_t event) {
    ++counted_waits;
    return cudaEventSynchronize(event);
}

/// Polling until the work is done counts as a wait.
inline cudaError_t counting_query(cudaError_t state) {
    static bool asked_too_early = false;
    if (asked_too_early && state != cudaErrorNotReady) ++counted_waits;
    asked_too_early = state == cudaErrorNotReady;
    return state;
}

}  // namespace error_handling

// A macro that uses its own name in its replacement is not expanded again, so the inner name calls the function.
#define cudaMemcpy(...) (++::error_handling::counted_waits, cudaMemcpy(__VA_ARGS__))
#define cudaMemcpyFromSymbol(...) (++::error_handling::counted_waits, cudaMemcpyFromSymbol(__VA_ARGS__))
#define cudaStreamQuery(stream) ::error_handling::counting_query(cudaStreamQuery(stream))
#define cudaEventQuery(event) ::error_handling::counting_query(cudaEventQuery(event))
#define cudaDeviceSynchronize() ::error_handling::counting_device_synchronize()
#define cudaStreamSynchronize(stream) ::error_handling::counting_stream_synchronize(stream)
#define cudaEventSynchronize(event) ::error_handling::counting_event_synchronize(event)

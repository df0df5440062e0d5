// Counts how often an exercise waits for the device. It replaces the calls that wait by counting ones, so it
// sees the file that includes it and nothing else; kit.cuh comes first, so that its own waits are not
// counted.
#pragma once

#include <cuda_runtime.h>

#include "kit.cuh"

namespace error_handling {

/// Calls of cudaDeviceSynchronize, cudaStreamSynchronize, cudaEventSynchronize and of copies that wait so far.
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

/// Who asks until the work is done waits, too.
inline cudaError_t counting_query(cudaError_t state) {
    static bool asked_too_early = false;
    if (asked_too_early && state != cudaErrorNotReady) ++counted_waits;
    asked_too_early = state == cudaErrorNotReady;
    return state;
}

}  // namespace error_handling

// Inside a macro of the same name the name means the function.
#define cudaMemcpy(...) (++::error_handling::counted_waits, cudaMemcpy(__VA_ARGS__))
#define cudaMemcpyFromSymbol(...) (++::error_handling::counted_waits, cudaMemcpyFromSymbol(__VA_ARGS__))
#define cudaStreamQuery(stream) ::error_handling::counting_query(cudaStreamQuery(stream))
#define cudaEventQuery(event) ::error_handling::counting_query(cudaEventQuery(event))
#define cudaDeviceSynchronize() ::error_handling::counting_device_synchronize()
#define cudaStreamSynchronize(stream) ::error_handling::counting_stream_synchronize(stream)
#define cudaEventSynchronize(event) ::error_handling::counting_event_synchronize(event)

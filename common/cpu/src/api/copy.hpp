// Calls that copy or fill: from the call to the stream.
#pragma once

#include "memory/copies.hpp"
#include "run/stream.hpp"

namespace kit::cpu {

/// A call that copies or fills.
struct Request {
    const char* what;  ///< name of the function
    cudaMemcpyKind kind;
    CUstream_st* stream;
    bool wait;  ///< whether it is a call without "Async"
    Place place;
};

/// Checks the copy and queues it, runs it, or makes it a node of the graph that the stream captures. All of this happens within api_call.
cudaError_t copy(const Request& request, Rows to, Rows from, Shape shape);
cudaError_t fill(const Request& request, Rows to, int value, Shape shape);

/// Implements cudaMallocPitch and its other names.
cudaError_t allocate_pitched(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height,
                             const char* made_by, Place place);

}  // namespace kit::cpu

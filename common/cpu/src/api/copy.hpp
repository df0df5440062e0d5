// Calls that copy or fill, on their way into a stream.
#pragma once

#include "memory/copies.hpp"
#include "run/stream.hpp"

namespace kit::cpu {

/// A call that copies or fills.
struct Request {
    const char* what;  ///< the function's name
    cudaMemcpyKind kind;
    CUstream_st* stream;
    bool wait;  ///< the call without "Async"
    Place place;
};

/// Checks the copy and queues it, runs it, or makes it a node of the graph that the stream captures. Both within api_call.
cudaError_t copy(const Request& request, Rows to, Rows from, Shape shape);
cudaError_t fill(const Request& request, Rows to, int value, Shape shape);

/// cudaMallocPitch, by any name.
cudaError_t allocate_pitched(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height,
                             const char* made_by, Place place);

}  // namespace kit::cpu

// Functions of the API that copy or fill memory: they check a call and queue it in a stream.
#pragma once

#include "memory/copies.hpp"
#include "run/stream.hpp"

namespace kit::cpu {

/// The call of an API function that copies or fills memory.
struct Request {
    const char* what;  ///< name of the called function
    cudaMemcpyKind kind;
    CUstream_st* stream;
    bool wait;  ///< whether the host waits, as in a function without "Async" in its name
    Place place;
};

/// Checks the copy, and then queues it, runs it, or adds it as a node if the stream captures. Runs in the
/// body of an api_call().
cudaError_t copy(const Request& request, Rows to, Rows from, Shape shape);
cudaError_t fill(const Request& request, Rows to, int value, Shape shape);

/// Implements cudaMallocPitch and the functions that do the same.
cudaError_t allocate_pitched(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height,
                             const char* made_by, Place place);

}  // namespace kit::cpu

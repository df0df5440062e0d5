// One copy or fill: checked when it is asked for, done when its turn comes. Streams queue them, graphs keep them.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <kit_cpu/thread.hpp>

namespace kit::cpu {

/// Rows of bytes at a fixed distance. A plain copy has one row.
struct Rows {
    void* begin;
    std::size_t pitch;
};
struct Shape {
    std::size_t width, height;
    std::size_t extent(std::size_t pitch) const { return (height - 1) * pitch + width; }
};

struct CopyTask {
    const char* what;  ///< the function's name
    cudaMemcpyKind kind;
    Rows to, from;
    Shape shape;
    Place place;
};

struct FillTask {
    const char* what;
    Rows to;
    unsigned value;
    std::size_t element;  ///< bytes of `value` that are repeated: 1, 2 or 4
    Shape shape;          ///< in bytes
    Place place;
};

/// Ranges, pitches and direction. What is wrong becomes a finding.
cudaError_t check(const CopyTask& task);
cudaError_t check(const FillTask& task);

/// Does it now. Memory of a graph that does not exist at this moment is cudaErrorIllegalAddress.
cudaError_t run(const CopyTask& task);
cudaError_t run(const FillTask& task);

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
cudaError_t fill(const Request& request, Rows to, int value, Shape shape, std::size_t element = 1);

/// cudaMallocPitch, by any name.
cudaError_t allocate_pitched(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height,
                             const char* made_by, Place place);

}  // namespace kit::cpu

// One copy or fill: checked when it is requested, and executed when its turn comes. Streams queue them, graphs keep them.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <kit_cpu/executor.hpp>
#include <kit_cpu/thread.hpp>
#include <kit_cpu/timeline.hpp>
#include <memory>

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

class BlockWatch;

/// One end of a copy, or a fill.
struct CopyEnd {
    const char* function;  ///< name of the function, such as "cudaMemcpyAsync"
    bool write;
    std::size_t bytes;
    Place place;
};

struct CopyTask {
    const char* what;  ///< name of the function
    cudaMemcpyKind kind;
    Rows to, from;
    Shape shape;
    Place place;
    /// Ordinary host memory, which must not be freed before the copy; empty for other memory, and for bytes that were copied aside.
    std::shared_ptr<const BlockWatch> to_watch{}, from_watch{};
};

struct FillTask {
    const char* what;
    Rows to;
    unsigned value;
    std::size_t element;  ///< bytes of `value` to repeat: 1, 2 or 4
    Shape shape;          ///< shape in bytes
    Place place;
};

/// Checks ranges, pitches and direction. An error becomes a finding.
cudaError_t check(const CopyTask& task);
cudaError_t check(const FillTask& task);

struct Allocation;
bool is_device(const Allocation* allocation);
/// Returns which way a copy goes.
WorkKind copy_kind(bool to_device, bool from_device);

/// Returns a finding about one end of a copy.
Finding wrong_end(facts::Rule rule, const CopyEnd& end);

/// Checks that the range is in one live allocation if it starts in one, or in device memory.
cudaError_t check_range(const CopyEnd& end, const void* begin, const Allocation* allocation);

/// Checks that ordinary host memory (heap, variables, stack) is large enough for the copy. Otherwise adds a finding and returns
/// cudaErrorInvalidValue, and nothing is copied.
cudaError_t check_host_range(const CopyEnd& end, const void* begin);

/// For a copy that runs later: detects from now on whether host memory that it uses is freed before.
void watch_host_memory(CopyTask& task);

/// Called when the copy runs: if the memory was freed, adds a finding and returns cudaErrorIllegalAddress.
cudaError_t check_host_memory_lives(const CopyTask& task);

/// Executes the copy now. Returns cudaErrorIllegalAddress for memory of a graph that does not exist at this moment.
cudaError_t run(const CopyTask& task);
cudaError_t run(const FillTask& task);

/// Moves the bytes, and the checks' records of them.
void copy_rows(Rows to, Rows from, Shape shape);

}  // namespace kit::cpu

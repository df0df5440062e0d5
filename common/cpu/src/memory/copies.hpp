// One copy or fill. A copy is checked when it is requested and executed when it runs, in a stream or as a
// node of a graph.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <kit_cpu/executor.hpp>
#include <kit_cpu/thread.hpp>
#include <kit_cpu/timeline.hpp>
#include <memory>

namespace kit::cpu {

/// Rows of bytes that have the same distance in memory. A copy of contiguous memory has one row.
struct Rows {
    void* begin;
    std::size_t pitch;
};
struct Shape {
    std::size_t width, height;
    std::size_t extent(std::size_t pitch) const { return (height - 1) * pitch + width; }
};

class BlockWatch;

/// One end of a copy, or the memory of a fill.
struct CopyEnd {
    const char* function;  ///< name of the called function, such as "cudaMemcpyAsync"
    bool write;
    std::size_t bytes;
    Place place;
};

struct CopyTask {
    const char* what;  ///< name of the called function
    cudaMemcpyKind kind;
    Rows to, from;
    Shape shape;
    Place place;
    /// Watches ordinary host memory, which must not be freed before the copy runs. Null for other memory, and
    /// for bytes that were copied to a buffer.
    std::shared_ptr<const BlockWatch> to_watch{}, from_watch{};
};

struct FillTask {
    const char* what;
    Rows to;
    unsigned value;
    std::size_t element;  ///< size of the element with the value, in bytes: 1, 2 or 4
    Shape shape;          ///< size of the filled memory, in bytes and rows
    Place place;
};

/// Checks ranges, pitches and direction. Returns CUDA's error, and reports a finding, if something is wrong.
cudaError_t check(const CopyTask& task);
cudaError_t check(const FillTask& task);

struct Allocation;
bool is_device(const Allocation* allocation);
/// Returns the direction of a copy as a kind of work.
WorkKind copy_kind(bool to_device, bool from_device);

/// Returns a finding about one end of a copy.
Finding wrong_end(facts::Rule rule, const CopyEnd& end);

/// Checks that a range which starts in an allocation ends in it, and that a range in device memory starts in
/// an allocation.
cudaError_t check_range(const CopyEnd& end, const void* begin, const Allocation* allocation);

/// Checks that ordinary host memory (heap, variable, stack) is large enough for the copy. If not, reports a
/// finding and returns cudaErrorInvalidValue, and nothing is copied.
cudaError_t check_host_range(const CopyEnd& end, const void* begin);

/// Starts watching the host memory that a later copy will use, to detect that it is freed before.
void watch_host_memory(CopyTask& task);

/// Called when the copy runs. If the copy's host memory was freed, reports a finding and returns
/// cudaErrorIllegalAddress.
cudaError_t check_host_memory_lives(const CopyTask& task);

/// Executes the copy. Returns cudaErrorIllegalAddress if it uses memory of an allocation node that does not
/// exist at this time.
cudaError_t run(const CopyTask& task);
cudaError_t run(const FillTask& task);

/// Copies the bytes, and the checks' records about them.
void copy_rows(Rows to, Rows from, Shape shape);

}  // namespace kit::cpu

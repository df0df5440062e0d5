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
    const char* function;  ///< "cudaMemcpyAsync"
    bool write;
    std::size_t bytes;
    Place place;
};

struct CopyTask {
    const char* what;  ///< the function's name
    cudaMemcpyKind kind;
    Rows to, from;
    Shape shape;
    Place place;
    /// Of the host's own memory, which must not be freed before the copy; empty: it is not the host's, or was copied aside.
    std::shared_ptr<const BlockWatch> to_watch{}, from_watch{};
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

struct Allocation;
bool is_device(const Allocation* allocation);
/// Returns which way a copy goes.
WorkKind copy_kind(bool to_device, bool from_device);

/// What is wrong with one end of a copy.
Finding wrong_end(facts::Rule rule, const CopyEnd& end);

/// Must lie in one live allocation if it begins in one, or in device memory.
cudaError_t check_range(const CopyEnd& end, const void* begin, const Allocation* allocation);

/// Memory of the host's own (heap, variables, stack) that is too small for what a copy does there is a finding, and the answer
/// cudaErrorInvalidValue: nothing is copied then.
cudaError_t check_host_range(const CopyEnd& end, const void* begin);

/// The copy comes later: sees from now on whether memory of the host that it uses is freed before.
void watch_host_memory(CopyTask& task);

/// Its turn has come: memory that was freed is a finding, and the answer cudaErrorIllegalAddress.
cudaError_t check_host_memory_lives(const CopyTask& task);

/// Does it now. Memory of a graph that does not exist at this moment is cudaErrorIllegalAddress.
cudaError_t run(const CopyTask& task);
cudaError_t run(const FillTask& task);

/// Moves the bytes, and the checks' knowledge about them.
void copy_rows(Rows to, Rows from, Shape shape);

}  // namespace kit::cpu

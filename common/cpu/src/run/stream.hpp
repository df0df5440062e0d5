// Streams, and the earlier work for which new work waits according to CUDA's rules. All functions are called
// with the API lock held.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "queue.hpp"

namespace kit::cpu {

struct Capture;

}  // namespace kit::cpu

struct CUgraphNode_st;

/// The object to which a cudaStream_t points.
struct CUstream_st {
    unsigned flags = cudaStreamDefault;
    int priority = 0;
    int device = 0;
    bool legacy = false;  ///< whether this is the legacy default stream of its device
    unsigned long long id = 0;
    std::uint64_t born = 0;     ///< creation time, for the report of leaks (memory/leaks.hpp)
    kit::cpu::Place made_at{};  ///< the line that created the stream, if known
    int number = 0;             ///< number of the stream in reports, the lowest that is free
    std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes;
    kit::cpu::Place window_set_at;               ///< the call that set the stream's access policy window
    kit::cpu::OperationPtr last;                 ///< latest operation in the stream; null if the stream was
                                                 ///< never used
    std::shared_ptr<kit::cpu::Capture> capture;  ///< null if the stream does not capture, so that work is
                                                 ///< queued (graphs/capture.hpp)
    std::vector<CUgraphNode_st*> captured;       ///< the next captured node comes after these nodes
};

namespace kit::cpu {

/// Returns the stream of a handle (including the legacy and per-thread handles); null if the stream does not exist.
CUstream_st* find_stream(cudaStream_t handle);
/// Returns the legacy default stream of the current device.
CUstream_st& legacy_stream();

/// Returns all existing streams except the legacy ones.
std::vector<CUstream_st*> all_streams();

CUstream_st* create_stream(unsigned flags, int priority);
void destroy_stream(CUstream_st* stream);

/// Queues work after the work that its stream, CUDA's rules for the legacy default stream, and `also_after` require.
OperationPtr enqueue(CUstream_st& stream, WorkLabel label, std::function<cudaError_t()> run,
                     OperationPtr also_after = nullptr);

/// Queues a marker, which does nothing, at the end of the stream. Events record this marker.
OperationPtr enqueue_marker(CUstream_st& stream);
/// Makes the stream wait for an operation. `place` is the line of the call.
OperationPtr enqueue_wait(CUstream_st& stream, OperationPtr also_after, Place place);

/// Queues a marker that comes after the stream's work and after the operations in `after`.
OperationPtr enqueue_join(CUstream_st& stream, const std::vector<OperationPtr>& after);

/// Runs all work in the streams of the device and waits for it.
cudaError_t finish_device(int device);

/// Queues work after the earlier work and before the later work in the legacy default streams of these devices. Non-blocking streams are
/// not ordered with it: on two H200 GPUs a blocking copy between devices neither waits for them nor holds them up.
OperationPtr enqueue_between(const std::vector<int>& devices, CUstream_st& stream, WorkLabel label,
                             std::function<cudaError_t()> run);

/// Returns an operation that is done when all work in the stream is done. Waiting for the legacy stream includes waiting for
/// every blocking stream.
OperationPtr stream_end(const CUstream_st& stream);

/// Drops the work of all streams, and destroys the streams of the device (cudaDeviceReset).
void reset_streams(int device);

}  // namespace kit::cpu

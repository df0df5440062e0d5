// Streams, and what CUDA's rules make work in each of them wait for. All functions are called with the API lock held.
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

/// What a cudaStream_t points to.
struct CUstream_st {
    unsigned flags = cudaStreamDefault;
    int priority = 0;
    int device = 0;
    bool legacy = false;  ///< the legacy default stream of its device
    unsigned long long id = 0;
    std::uint64_t born = 0;     ///< see memory/leaks.hpp
    kit::cpu::Place made_at{};  ///< if known
    int number = 0;             ///< in reports: the lowest that is free
    std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes;
    kit::cpu::Place window_set_at;               ///< who called for its access window
    kit::cpu::OperationPtr last;                 ///< latest operation; null when the stream was never used
    std::shared_ptr<kit::cpu::Capture> capture;  ///< null: work is queued. See graphs/capture.hpp
    std::vector<CUgraphNode_st*> captured;       ///< the next captured node comes after these
};

namespace kit::cpu {

/// The stream behind a handle (also the legacy and per-thread ones); null when the handle is not alive.
CUstream_st* find_stream(cudaStream_t handle);
/// Of the current device.
CUstream_st& legacy_stream();

/// All streams that are alive, but the legacy ones.
std::vector<CUstream_st*> all_streams();

CUstream_st* create_stream(unsigned flags, int priority);
void destroy_stream(CUstream_st* stream);

/// Queues work behind what its stream, CUDA's rules for the legacy default stream, and `also_after` demand.
OperationPtr enqueue(CUstream_st& stream, WorkLabel label, std::function<cudaError_t()> run,
                     OperationPtr also_after = nullptr);

/// Queues nothing but a place in the order, for events.
OperationPtr enqueue_marker(CUstream_st& stream);
/// The call at this place makes the stream wait.
OperationPtr enqueue_wait(CUstream_st& stream, OperationPtr also_after, Place place);

/// Queues a mark behind the stream's work and behind these.
OperationPtr enqueue_join(CUstream_st& stream, const std::vector<OperationPtr>& after);

/// Runs, and waits for, all that was queued in the streams of the device.
cudaError_t finish_device(int device);

/// Queues work that comes after all that was queued on these devices, and before all that will be.
OperationPtr enqueue_between(const std::vector<int>& devices, CUstream_st& stream, WorkLabel label,
                             std::function<cudaError_t()> run);

/// The operation whose end is the end of all that was queued in the stream. Waiting for the legacy stream
/// means waiting for every blocking stream, too.
OperationPtr stream_end(const CUstream_st& stream);

/// Forgets the work of all streams, and destroys those of the device (cudaDeviceReset).
void reset_streams(int device);

}  // namespace kit::cpu

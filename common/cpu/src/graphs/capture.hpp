// Stream capture: while it is in progress, calls for a stream become nodes of a graph. A stream joins when it waits for an event of the
// capture. Called with the API lock held.
#pragma once

#include <thread>

#include "graph.hpp"
#include "run/event.hpp"

namespace kit::cpu {

struct Capture {
    unsigned long long id = 0;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    std::thread::id thread;
    Place begun;
    CUstream_st* origin = nullptr;
    std::unique_ptr<CUgraph_st> own;  ///< null if the program provided the graph
    CUgraph_st* graph = nullptr;
    bool valid = true;
    bool ended = false;
    std::vector<CUgraphNode_st*>
        let_go;  ///< released by cudaStreamUpdateCaptureDependencies: these need no join
};
using CapturePtr = std::shared_ptr<Capture>;

/// Returns whether a call for this stream is captured or refused instead of queued: while the stream captures, and for the legacy stream
/// while a blocking stream captures.
bool concerns_capture(const CUstream_st& stream);

/// Adds a node for a call for such a stream, or refuses it. `what` is the function that was called, empty for a launch.
cudaError_t capture_task(CUstream_st& stream, const char* what, Place place, NodeTask task,
                         CUgraphNode_st** made = nullptr);

/// For calls that a capture would miss and that could make it wrong, such as cudaMalloc: returns an error if some capture forbids them now,
/// and invalidates that capture.
cudaError_t refuse_unsafe(const char* what, Place place);

/// Refuses a call that no node can represent.
cudaError_t refuse_in_capture(const CUstream_st& stream, const char* what, Place place);

/// Refuses a call that waits for a stream, an event or the device, or that asks whether it is done.
cudaError_t refuse_waiting(const CUstream_st& stream, const char* what, Place place);
cudaError_t refuse_waiting(const CUevent_st& event, const char* what, Place place);
cudaError_t refuse_waiting_for_device(const char* what, Place place);

/// Adds nodes that allocate and free. Null memory: the pointer to free does not come from a graph.
cudaError_t capture_malloc(CUstream_st& stream, void** pointer, std::size_t bytes, Place place);
cudaError_t capture_free(CUstream_st& stream, const std::shared_ptr<GraphMemory>& memory, Place place);

/// Records events in streams that capture, and waits for captured events in others.
cudaError_t capture_record(CUstream_st& stream, CUevent_st& event, unsigned flags, Place place);
cudaError_t capture_wait(CUstream_st& stream, CUevent_st& event, unsigned flags, Place place);

cudaError_t begin_capture(CUstream_st& stream, CUgraph_st* graph, std::vector<CUgraphNode_st*> after,
                          cudaStreamCaptureMode mode, Place place);
cudaError_t end_capture(CUstream_st& stream, cudaGraph_t* graph, Place place);

/// Called before the stream is destroyed.
void leave_capture(CUstream_st& stream);

/// Returns the mode of this thread, see cudaThreadExchangeStreamCaptureMode.
cudaStreamCaptureMode& thread_capture_mode();

}  // namespace kit::cpu

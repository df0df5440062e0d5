// Stream capture: calls for a capturing stream become nodes of a graph. A second stream joins the capture
// when it waits for an event that was recorded in the captured stream. Called with the API lock held.
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
    std::unique_ptr<CUgraph_st> own;  ///< the new graph; null if the program provided one
    CUgraph_st* graph = nullptr;
    bool valid = true;
    bool ended = false;
    std::vector<CUgraphNode_st*>
        let_go;  ///< nodes that cudaStreamUpdateCaptureDependencies released, which need no join
};
using CapturePtr = std::shared_ptr<Capture>;

/// Returns whether calls for this stream are captured or refused instead of queued. This applies while the
/// stream captures, and to the legacy stream while a blocking stream captures.
bool concerns_capture(const CUstream_st& stream);

/// Adds a node for a call that concerns a capture, or refuses the call. `what` is the called function, empty
/// for a kernel launch.
cudaError_t capture_task(CUstream_st& stream, const char* what, Place place, NodeTask task,
                         CUgraphNode_st** made = nullptr);

/// Returns an error if a capture forbids this call now, and invalidates that capture. Used by calls that a
/// capture does not record and that could make the capture wrong, such as cudaMalloc.
cudaError_t refuse_unsafe(const char* what, Place place);

/// Refuses a call that no node can represent.
cudaError_t refuse_in_capture(const CUstream_st& stream, const char* what, Place place);

/// Refuses a call that waits for, or polls, a stream, an event or the device.
cudaError_t refuse_waiting(const CUstream_st& stream, const char* what, Place place);
cudaError_t refuse_waiting(const CUevent_st& event, const char* what, Place place);
cudaError_t refuse_waiting_for_device(const char* what, Place place);

/// Adds nodes that allocate or free memory. With a null memory object, the pointer to free does not come from
/// a graph.
cudaError_t capture_malloc(CUstream_st& stream, void** pointer, std::size_t bytes, Place place);
cudaError_t capture_free(CUstream_st& stream, const std::shared_ptr<GraphMemory>& memory, Place place);

/// Functions for events: record one in a stream that captures, or let a stream wait for a captured event.
cudaError_t capture_record(CUstream_st& stream, CUevent_st& event, unsigned flags, Place place);
cudaError_t capture_wait(CUstream_st& stream, CUevent_st& event, unsigned flags, Place place);

cudaError_t begin_capture(CUstream_st& stream, CUgraph_st* graph, std::vector<CUgraphNode_st*> after,
                          cudaStreamCaptureMode mode, Place place);
cudaError_t end_capture(CUstream_st& stream, cudaGraph_t* graph, Place place);

/// Called before a stream is destroyed, which may be part of a capture.
void leave_capture(CUstream_st& stream);

/// Returns the capture mode of the calling thread (cudaThreadExchangeStreamCaptureMode).
cudaStreamCaptureMode& thread_capture_mode();

}  // namespace kit::cpu

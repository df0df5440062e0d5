// Stream capture: while it lasts, calls for a stream become nodes of a graph. A stream joins when it waits for an
// event of the capture. Called with the API lock held.
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
    std::unique_ptr<CUgraph_st> own;  ///< empty when the program gave the graph
    CUgraph_st* graph = nullptr;
    bool valid = true;
    bool ended = false;
    std::vector<CUgraphNode_st*> let_go;  ///< by cudaStreamUpdateCaptureDependencies: these need no join
};
using CapturePtr = std::shared_ptr<Capture>;

/// Returns whether a call for this stream does something other than queue work. True while the stream captures, and for the legacy
/// stream while a blocking stream captures.
bool concerns_capture(const CUstream_st& stream);

/// Adds a node for a call for such a stream, or refuses it. `what` is the function that was called, empty for a launch.
cudaError_t capture_task(CUstream_st& stream, const char* what, Place place, NodeTask task,
                         CUgraphNode_st** made = nullptr);

/// For calls that a capture would not see and that could make it wrong, such as cudaMalloc: an error if some capture
/// forbids them now, which ends that capture's validity.
cudaError_t refuse_unsafe(const char* what, Place place);

/// For calls that no node can stand for.
cudaError_t refuse_in_capture(const CUstream_st& stream, const char* what, Place place);

/// For calls that wait for a stream, an event or the device, or ask whether it is done.
cudaError_t refuse_waiting(const CUstream_st& stream, const char* what, Place place);
cudaError_t refuse_waiting(const CUevent_st& event, const char* what, Place place);
cudaError_t refuse_waiting_for_device(const char* what, Place place);

/// Nodes that allocate and free. No memory: the pointer to be freed does not come from a graph.
cudaError_t capture_malloc(CUstream_st& stream, void** pointer, std::size_t bytes, Place place);
cudaError_t capture_free(CUstream_st& stream, const std::shared_ptr<GraphMemory>& memory, Place place);

/// Events in streams that capture, and captured events in others.
cudaError_t capture_record(CUstream_st& stream, CUevent_st& event, unsigned flags, Place place);
cudaError_t capture_wait(CUstream_st& stream, CUevent_st& event, unsigned flags, Place place);

cudaError_t begin_capture(CUstream_st& stream, CUgraph_st* graph, std::vector<CUgraphNode_st*> after,
                          cudaStreamCaptureMode mode, Place place);
cudaError_t end_capture(CUstream_st& stream, cudaGraph_t* graph, Place place);

/// The stream is about to be destroyed.
void leave_capture(CUstream_st& stream);

/// This thread's mode, see cudaThreadExchangeStreamCaptureMode.
cudaStreamCaptureMode& thread_capture_mode();

}  // namespace kit::cpu

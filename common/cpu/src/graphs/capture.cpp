// Stream capture: turns calls for a stream into nodes of a graph, and refuses calls that cannot be captured.
#include "capture.hpp"

#include <algorithm>
#include <set>

#include "graph_memory.hpp"
#include "source/findings.hpp"

namespace kit::cpu {

using facts::Rule;
namespace {

unsigned long long last_capture = 0;

/// Returns all captures in progress, through the streams that take part in them.
std::set<CapturePtr> captures() {
    std::set<CapturePtr> found;
    for (const CUstream_st* stream : all_streams())
        if (stream->capture) found.insert(stream->capture);
    return found;
}

bool is_blocking(const CUstream_st& stream) {
    return !(stream.flags & cudaStreamNonBlocking);
}

/// Invalidates captures because of a call. The program can then only end them, which returns no graph.
cudaError_t invalidate(const std::vector<CapturePtr>& broken, cudaError_t error, Rule rule, const char* call,
                       Place place, const char* kernel = "") {
    const Capture* first = nullptr;  // the first capture that this call invalidates
    for (const CapturePtr& capture : broken) {
        if (capture->valid && !first) first = capture.get();
        capture->valid = false;
    }
    if (first)
        add_finding(finding(rule, place).in(kernel).with("call", call).with("begun", line_of(first->begun)));
    return error;
}

/// Returns the captures of blocking streams on the device of a legacy stream, for which that legacy stream
/// would have to wait.
std::vector<CapturePtr> captures_before(const CUstream_st& legacy) {
    std::vector<CapturePtr> found;
    for (const CUstream_st* stream : all_streams())
        if (stream->capture && is_blocking(*stream) && stream->device == legacy.device)
            found.push_back(stream->capture);
    return found;
}

cudaError_t refuse_legacy(const CUstream_st& legacy, const char* what, Place place, const char* kernel = "") {
    return invalidate(captures_before(legacy), cudaErrorStreamCaptureImplicit, Rule::capture_default_stream,
                      what, place, kernel);
}

/// Adds a node, and all nodes of the capture that come before it, to `found`.
void add_ancestors(CUgraphNode_st* node, std::set<const CUgraphNode_st*>& found) {
    std::vector<CUgraphNode_st*> stack = {node};
    while (!stack.empty()) {
        CUgraphNode_st* const next = stack.back();
        stack.pop_back();
        if (!found.insert(next).second) continue;
        for (CUgraphNode_st* earlier : next->before) stack.push_back(earlier);
    }
}

/// Returns the first node, in the order of creation, of the streams that were not joined to the capture's first stream; null if all were
/// joined.
CUgraphNode_st* unjoined(const Capture& capture) {
    std::set<const CUgraphNode_st*> joined;
    for (CUgraphNode_st* node : capture.origin->captured) add_ancestors(node, joined);
    for (CUgraphNode_st* node : capture.let_go)
        if (find_node(node)) add_ancestors(node, joined);
    std::set<const CUgraphNode_st*> loose;
    for (const CUstream_st* stream : all_streams())
        if (stream->capture.get() == &capture)
            for (const CUgraphNode_st* node : stream->captured)
                if (!joined.count(node)) loose.insert(node);
    for (const auto& node : capture.graph->nodes)
        if (loose.count(node.get())) return node.get();
    return nullptr;
}

void add_new(std::vector<CUgraphNode_st*>& to, const std::vector<CUgraphNode_st*>& more) {
    for (CUgraphNode_st* node : more)
        if (std::find(to.begin(), to.end(), node) == to.end()) to.push_back(node);
}

}  // namespace

cudaStreamCaptureMode& thread_capture_mode() {
    static thread_local cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    return mode;
}

bool concerns_capture(const CUstream_st& stream) {
    return stream.capture || (stream.legacy && !captures_before(stream).empty());
}

cudaError_t capture_task(CUstream_st& stream, const char* what, Place place, NodeTask task,
                         CUgraphNode_st** made) {
    const auto* const launch = std::get_if<Launch>(&task);
    if (!stream.capture) return refuse_legacy(stream, what, place, launch ? launch->name : "");
    if (!stream.capture->valid) return cudaErrorStreamCaptureInvalidated;
    CUgraphNode_st* const node = add_node(*stream.capture->graph, stream.captured, std::move(task));
    stream.captured = {node};
    if (made) *made = node;
    return cudaSuccess;
}

cudaError_t refuse_unsafe(const char* what, Place place) {
    std::vector<CapturePtr> forbidding;
    if (thread_capture_mode() != cudaStreamCaptureModeRelaxed) {
        for (const CapturePtr& capture : captures()) {
            const bool own = capture->thread == std::this_thread::get_id() &&
                             capture->mode != cudaStreamCaptureModeRelaxed;
            const bool other = capture->mode == cudaStreamCaptureModeGlobal &&
                               thread_capture_mode() == cudaStreamCaptureModeGlobal;
            if (own || other) forbidding.push_back(capture);
        }
    }
    if (forbidding.empty()) return cudaSuccess;
    return invalidate(forbidding, cudaErrorStreamCaptureUnsupported, Rule::capture_not_repeated, what, place);
}

namespace {

cudaError_t refuse(const CUstream_st& stream, Rule rule, const char* what, Place place) {
    if (!concerns_capture(stream)) return cudaSuccess;
    if (!stream.capture) return refuse_legacy(stream, what, place);
    if (!stream.capture->valid) return cudaErrorStreamCaptureInvalidated;
    return invalidate({stream.capture}, cudaErrorStreamCaptureUnsupported, rule, what, place);
}

}  // namespace

cudaError_t refuse_in_capture(const CUstream_st& stream, const char* what, Place place) {
    return refuse(stream, Rule::capture_has_no_node, what, place);
}

cudaError_t refuse_waiting(const CUstream_st& stream, const char* what, Place place) {
    return refuse(stream, Rule::capture_waits_for_stream, what, place);
}

cudaError_t refuse_waiting(const CUevent_st& event, const char* what, Place place) {
    if (!event.capture) return cudaSuccess;
    if (event.capture->ended) return cudaErrorCapturedEvent;
    return invalidate({event.capture}, cudaErrorCapturedEvent, Rule::capture_waits_for_event, what, place);
}

cudaError_t refuse_waiting_for_device(const char* what, Place place) {
    const std::set<CapturePtr> all = captures();
    if (all.empty()) return cudaSuccess;
    return invalidate({all.begin(), all.end()}, cudaErrorStreamCaptureUnsupported,
                      Rule::capture_waits_for_device, what, place);
}

cudaError_t capture_record(CUstream_st& stream, CUevent_st& event, unsigned flags, Place place) {
    if (flags == cudaEventRecordExternal)
        return capture_task(stream, "cudaEventRecord", place, RecordTask{&event});
    if (!stream.capture) return refuse_legacy(stream, "cudaEventRecord", place);
    if (!stream.capture->valid) return cudaErrorStreamCaptureInvalidated;
    event.capture = stream.capture;
    event.captured = stream.captured;
    return cudaSuccess;
}

cudaError_t capture_wait(CUstream_st& stream, CUevent_st& event, unsigned flags, Place place) {
    constexpr const char* call = "cudaStreamWaitEvent";
    if (flags == cudaEventWaitExternal) return capture_task(stream, call, place, WaitTask{&event});
    const CapturePtr here = stream.capture, there = event.capture;
    if (here && !here->valid) return cudaErrorStreamCaptureInvalidated;
    if (!here && !there) return refuse_legacy(stream, call, place);
    if (!there)
        return invalidate({here}, cudaErrorStreamCaptureIsolation, Rule::capture_event_from_outside, call,
                          place);
    if (there->ended) {
        if (!here) return cudaErrorCapturedEvent;
        return invalidate({here}, cudaErrorStreamCaptureIsolation, Rule::capture_event_of_ended, call, place);
    }
    if (!there->valid) return cudaErrorStreamCaptureInvalidated;
    if (stream.legacy)
        return invalidate({there}, cudaErrorStreamCaptureImplicit, Rule::capture_default_stream_joins, call,
                          place);
    if (here && here != there)
        return invalidate({here, there}, cudaErrorStreamCaptureMerge, Rule::capture_merges_two, call, place);
    stream.capture = there;
    add_new(stream.captured, event.captured);
    return cudaSuccess;
}

cudaError_t capture_malloc(CUstream_st& stream, void** pointer, std::size_t bytes, Place place) {
    if (!stream.capture || !stream.capture->valid)
        return capture_task(stream, "cudaMallocAsync", place, EmptyTask{});
    if (!pointer || bytes == 0) return cudaErrorInvalidValue;
    const GraphMemoryPtr memory = GraphMemory::make(bytes, "cudaMallocAsync", stream.capture->graph, place);
    if (!memory) return cudaErrorMemoryAllocation;
    *pointer = memory->begin();
    return capture_task(stream, "cudaMallocAsync", place, AllocTask{memory, place});
}

cudaError_t capture_free(CUstream_st& stream, const GraphMemoryPtr& memory, Place place) {
    if (!stream.capture || !stream.capture->valid)
        return capture_task(stream, "cudaFreeAsync", place, EmptyTask{});
    if (!memory || memory->freed_by)
        return invalidate({stream.capture}, cudaErrorInvalidValue,
                          memory ? Rule::capture_frees_again : Rule::capture_frees_strange_memory,
                          "cudaFreeAsync", place);
    memory->freed_by = stream.capture->graph;
    return capture_task(stream, "cudaFreeAsync", place, FreeTask{memory, place});
}

cudaError_t begin_capture(CUstream_st& stream, CUgraph_st* graph, std::vector<CUgraphNode_st*> after,
                          cudaStreamCaptureMode mode, Place place) {
    if (stream.legacy) return cudaErrorStreamCaptureUnsupported;
    if (stream.capture) return cudaErrorIllegalState;
    auto capture = std::make_shared<Capture>();
    capture->id = ++last_capture;
    capture->mode = mode;
    capture->thread = std::this_thread::get_id();
    capture->begun = place;
    capture->origin = &stream;
    if (!graph) {
        capture->own = std::make_unique<CUgraph_st>(true);
        capture->own->embedded = true;
        graph = capture->own.get();
    }
    capture->graph = graph;
    stream.capture = std::move(capture);
    stream.captured = std::move(after);
    return cudaSuccess;
}

cudaError_t end_capture(CUstream_st& stream, cudaGraph_t* graph, Place place) {
    const CapturePtr capture = stream.capture;
    if (!capture) return cudaErrorIllegalState;
    if (capture->origin != &stream)
        return invalidate({capture}, cudaErrorStreamCaptureUnmatched, Rule::capture_ends_elsewhere,
                          "cudaStreamEndCapture", place);
    if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id())
        return cudaErrorStreamCaptureWrongThread;
    cudaError_t error = capture->valid ? cudaSuccess : cudaErrorStreamCaptureInvalidated;
    if (CUgraphNode_st* const loose = capture->valid ? unjoined(*capture) : nullptr) {
        error = cudaErrorStreamCaptureUnjoined;
        add_finding(about_node(Rule::capture_not_joined, loose->task, place));
    }
    for (CUstream_st* other : all_streams()) {
        if (other->capture != capture) continue;
        other->capture = nullptr;
        other->captured.clear();
    }
    capture->ended = true;
    if (capture->own) capture->own->embedded = false;
    if (graph)
        *graph = error != cudaSuccess ? nullptr
                 : capture->own       ? publish(std::move(capture->own), place)
                                      : capture->graph;
    capture->own.reset();  // deletes the new graph, because the caller has no place for it
    return error;
}

void leave_capture(CUstream_st& stream) {
    if (!stream.capture) return;
    if (stream.capture->origin == &stream) stream.capture->valid = false;
    stream.capture = nullptr;
}

}  // namespace kit::cpu

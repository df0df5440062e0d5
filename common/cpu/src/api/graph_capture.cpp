// API functions for stream capture.
#include <cuda_runtime_api.h>

#include "api.hpp"
#include "graphs/capture.hpp"
#include "graphs/edges.hpp"
#include "run/counters.hpp"

using namespace kit::cpu;

namespace {

bool is_mode(cudaStreamCaptureMode mode) {
    return mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed;
}

cudaStreamCaptureStatus status_of(const CUstream_st& stream) {
    if (!stream.capture) return cudaStreamCaptureStatusNone;
    return stream.capture->valid ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusInvalidated;
}

}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
    const Place place = KIT_CALLER;
    return with_stream(handle, [&](CUstream_st& stream) {
        if (!is_mode(mode)) return cudaErrorInvalidValue;
        return count_call(&Counters::captures, begin_capture(stream, nullptr, {}, mode, place));
    });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t handle, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* data,
                                          std::size_t count, cudaStreamCaptureMode mode) {
    const Place place = KIT_CALLER;
    return with_stream(handle, [&](CUstream_st& stream) {
        std::vector<CUgraphNode_st*> after;
        if (!is_mode(mode) || !find_graph(graph) || !nodes_of(*graph, dependencies, count, after) ||
            !plain_edges(data, count))
            return cudaErrorInvalidValue;
        return count_call(&Counters::captures, begin_capture(stream, graph, std::move(after), mode, place));
    });
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
    const Place place = KIT_CALLER;
    return with_stream(handle, [&](CUstream_st& stream) {
        if (graph) *graph = nullptr;
        const bool is_new = stream.capture && stream.capture->own;
        const cudaError_t error = end_capture(stream, graph, place);
        return is_new ? count_call(&Counters::graphs_made, error) : error;
    });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
    return with_stream(handle, [&](CUstream_st& stream) {
        if (!status) return cudaErrorInvalidValue;
        if (!stream.capture && concerns_capture(stream)) return cudaErrorStreamCaptureImplicit;
        *status = status_of(stream);
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** data,
                                     std::size_t* count) {
    return with_stream(handle, [&](CUstream_st& stream) {
        if (!status || (data && !dependencies)) return cudaErrorInvalidValue;
        if (!stream.capture && concerns_capture(stream)) return cudaErrorStreamCaptureImplicit;
        *status = status_of(stream);
        if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
        if (id) *id = stream.capture->id;
        if (graph) *graph = stream.capture->graph;
        if (dependencies) *dependencies = stream.captured.data();
        if (count) *count = stream.captured.size();
        if (data) {
            static auto& zeros = *new std::vector<cudaGraphEdgeData>;
            zeros.resize(std::max(zeros.size(), stream.captured.size()));
            *data = zeros.data();
        }
        return cudaSuccess;
    });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData* data, std::size_t count,
                                                unsigned int flags) {
    return with_stream(handle, [&](CUstream_st& stream) {
        if (status_of(stream) != cudaStreamCaptureStatusActive) return cudaErrorIllegalState;
        std::vector<CUgraphNode_st*> nodes;
        if (flags > cudaStreamSetCaptureDependencies || !plain_edges(data, count) ||
            !nodes_of(*stream.capture->graph, dependencies, count, nodes))
            return cudaErrorInvalidValue;
        if (flags == cudaStreamSetCaptureDependencies) {
            auto& let_go = stream.capture->let_go;
            let_go.insert(let_go.end(), stream.captured.begin(), stream.captured.end());
            stream.captured.clear();
        }
        stream.captured.insert(stream.captured.end(), nodes.begin(), nodes.end());
        return cudaSuccess;
    });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    return api_call([&] {
        if (!mode || !is_mode(*mode)) return cudaErrorInvalidValue;
        std::swap(*mode, thread_capture_mode());
        return cudaSuccess;
    });
}

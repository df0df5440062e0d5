// The examples of lectures/diagnoses about graphs: each page's code is compiled here, and its report compared.
#include "pages.cuh"

__global__ void twice(float* data) {
    data[threadIdx.x] *= 2;
}

// ---- capture ----

// [capture]
cudaGraph_t record_and_look(float* data, float* host, cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    twice<<<1, 32, 0, stream>>>(data);
    cudaStreamSynchronize(stream);  // <-
    cudaMemcpyAsync(host, data, 32 * sizeof(float), cudaMemcpyDeviceToHost, stream);
    cudaStreamEndCapture(stream, &graph);
    return graph;  // null
}
// [/capture]
PLANTED("capture", "capture", "waits for a stream that is capturing") {
    Buffer<float> data(32, 1.0f);
    float host[32];
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    record_and_look(data, host, stream);
    cudaStreamDestroy(stream);
}

// [capture_cure]
cudaGraph_t record(float* data, float* host, cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    twice<<<1, 32, 0, stream>>>(data);
    cudaMemcpyAsync(host, data, 32 * sizeof(float), cudaMemcpyDeviceToHost, stream);
    cudaStreamEndCapture(stream, &graph);
    return graph;  // launch it, then wait
}
// [/capture_cure]
SILENT("capture, cured") {
    Buffer<float> data(32, 1.0f);
    float* host = nullptr;
    cudaStream_t stream;
    cudaGraphExec_t instance;
    cudaStreamCreate(&stream);
    cudaMallocHost(&host, 32 * sizeof(float));
    cudaGraph_t graph = record(data, host, stream);
    cudaGraphInstantiate(&instance, graph, 0);
    cudaGraphLaunch(instance, stream);
    cudaStreamSynchronize(stream);
    CHECK_EQUAL(host[31], 2.0f);
    cudaGraphExecDestroy(instance);
    cudaGraphDestroy(graph);
    cudaFreeHost(host);
    cudaStreamDestroy(stream);
}

// ---- graph ----

// [graph]
cudaError_t scratch_of_two(cudaGraph_t graph, cudaGraphExec_t* first, cudaGraphExec_t* second) {
    cudaMemAllocNodeParams memory = {};
    cudaGraphNode_t node;
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.bytesize = 1024;
    cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &memory);
    cudaGraphInstantiate(first, graph, 0);
    return cudaGraphInstantiate(second, graph, 0);  // <-
}
// [/graph]
PLANTED("graph", "graph", "can have one instance at a time") {
    cudaGraph_t graph;
    cudaGraphExec_t first, second;
    cudaGraphCreate(&graph, 0);
    scratch_of_two(graph, &first, &second);
    cudaGraphExecDestroy(first);
    cudaGraphDestroy(graph);
}

// [graph_cure]
cudaError_t scratch_one_by_one(cudaGraph_t graph, cudaGraphExec_t* first, cudaGraphExec_t* second) {
    cudaMemAllocNodeParams memory = {};
    cudaGraphNode_t node;
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.bytesize = 1024;
    cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &memory);
    cudaGraphInstantiate(first, graph, 0);
    cudaGraphExecDestroy(*first);
    return cudaGraphInstantiate(second, graph, 0);
}
// [/graph_cure]
SILENT("graph, cured") {
    cudaGraph_t graph;
    cudaGraphExec_t first, second;
    cudaGraphCreate(&graph, 0);
    CHECK_CUDA(scratch_one_by_one(graph, &first, &second), cudaSuccess);
    cudaGraphExecDestroy(second);
    cudaGraphDestroy(graph);
}

PAGES_MAIN("pages_graphs")

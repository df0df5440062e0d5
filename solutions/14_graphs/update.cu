// 14_graphs/update: batches of any size through one instance of a graph.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests update.cu
//        ../../tests/14_graphs/update_test.cu -o update
// Run:   ./update
//
//   v6  serve: captures each batch and updates the instance with the captured graph
//   v7  retarget: like v6, but sets the parameters of the one node that changes; no capture

#include "14_graphs/14_graphs.hpp"
#include "14_graphs/count_calls.hpp"  // the grader counts the captures, instances and launches in this file
#include "kit.cuh"

namespace graphs {

__global__ void scale_all(const float* in, float* out, int n, float scale) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * scale;
}

__global__ void clamp_all(float* out, int n, float most) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && out[i] > most) out[i] = most;
}

/// Launches the work of a batch into a stream; here the stream is always capturing.
void launch_batch(const Batch& batch, cudaStream_t stream) {
    int blocks = kit::ceil_div(batch.n, kBlock);
    scale_all<<<blocks, kBlock, 0, stream>>>(batch.in, batch.out, batch.n, batch.scale);
    CUDA_CHECK_LAUNCH();
    if (!batch.clamp) return;
    clamp_all<<<blocks, kBlock, 0, stream>>>(batch.out, batch.n, 1.0f);
    CUDA_CHECK_LAUNCH();
}

// v6: like a new graph for each batch, but the instance is reused.
// Cost    : a capture and an update per batch; an instantiation only when the shape of the graph changes.
// Requires: the same nodes and edges; pointers, sizes, grids and other arguments may differ.
// Next    : if only one node changes, the capture is not necessary either; see v7.
// [serve]
void serve(Server& server, const Batch& batch, cudaStream_t stream) {
    cudaGraph_t graph = nullptr;

    // TODO(1): Capture launch_batch() into `graph`. 3 lines.
    // BEGIN SOLUTION 1
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    launch_batch(batch, stream);
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    // STARTER KIT_TODO(1, batch, stream);
    // END SOLUTION 1

    // TODO(2): If there is an instance, update it with the graph. If the update fails with
    // cudaErrorGraphExecUpdateFailure, clear the error, destroy the instance, and reset its handle. If there
    // is no instance now, create one. About 12 lines.
    // BEGIN SOLUTION 2
    if (server.exec != nullptr) {
        cudaGraphExecUpdateResultInfo info;
        cudaError_t error = cudaGraphExecUpdate(server.exec, graph, &info);
        if (error == cudaErrorGraphExecUpdateFailure) {
            (void)cudaGetLastError();
            CUDA_CHECK(cudaGraphExecDestroy(server.exec));
            server.exec = nullptr;
        } else {
            CUDA_CHECK(error);
        }
    }
    if (server.exec == nullptr) CUDA_CHECK(cudaGraphInstantiate(&server.exec, graph, 0));
    // STARTER KIT_TODO(2, server, graph);
    // END SOLUTION 2

    // TODO(3): Launch the instance, and destroy the graph, which is no longer needed. 2 lines.
    // BEGIN SOLUTION 3
    CUDA_CHECK(cudaGraphLaunch(server.exec, stream));
    CUDA_CHECK(cudaGraphDestroy(graph));
    // STARTER KIT_TODO(3, server, graph, stream);
    // END SOLUTION 3
}
// [/serve]

void close(Server& server) {
    if (server.exec != nullptr) CUDA_CHECK(cudaGraphExecDestroy(server.exec));
    server.exec = nullptr;
}

/// Returns the parameters of the scaling kernel for a batch. `arguments` must exist until their last use.
cudaKernelNodeParams scale_params(const Batch& batch, void** arguments) {
    cudaKernelNodeParams params = {};
    params.func = reinterpret_cast<void*>(scale_all);
    params.gridDim = dim3(kit::ceil_div(batch.n, kBlock));
    params.blockDim = dim3(kBlock);
    params.kernelParams = arguments;
    return params;
}

OneNode prepare(const Batch& first) {
    OneNode one;
    Batch batch = first;
    void* arguments[] = {&batch.in, &batch.out, &batch.n, &batch.scale};
    cudaKernelNodeParams params = scale_params(batch, arguments);
    CUDA_CHECK(cudaGraphCreate(&one.graph, 0));
    CUDA_CHECK(cudaGraphAddKernelNode(&one.node, one.graph, nullptr, 0, &params));
    CUDA_CHECK(cudaGraphInstantiate(&one.exec, one.graph, 0));
    return one;
}

// v7: like v6, but sets only the parameters of one node.
// Cost    : no capture, no comparison of graphs.
// Requires: the handle of the node in the graph that was instantiated; the graph must still exist.
// Next    : scratch memory that belongs to the graph; see v8 in memory_nodes.cu.
// [retarget]
void retarget(OneNode& one, const Batch& batch) {
    // TODO(4): Set the parameters of the node in the *instance*: all four arguments and the grid. See prepare() for
    // how to fill in the parameters. About 4 lines.
    // BEGIN SOLUTION 4
    Batch wanted = batch;
    void* arguments[] = {&wanted.in, &wanted.out, &wanted.n, &wanted.scale};
    cudaKernelNodeParams params = scale_params(wanted, arguments);
    CUDA_CHECK(cudaGraphExecKernelNodeSetParams(one.exec, one.node, &params));
    // STARTER KIT_TODO(4, one, batch);
    // END SOLUTION 4
}
// [/retarget]

}  // namespace graphs

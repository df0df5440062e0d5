// wrong: destroys the captured graph before the update has read it
// diagnosis: cudaErrorInvalidValue
// backends: cpu (what a handle of something destroyed does on a GPU is not defined)
// sanitizer.all: handles of what the host has destroyed are no matter of the tools

#include "14_graphs/14_graphs.hpp"
#include "14_graphs/count_calls.hpp"  // the grader counts this file's captures, instances and launches
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

/// The work of a batch, launched into a stream; here the stream is always capturing.
void launch_batch(const Batch& batch, cudaStream_t stream) {
    int blocks = kit::ceil_div(batch.n, kBlock);
    scale_all<<<blocks, kBlock, 0, stream>>>(batch.in, batch.out, batch.n, batch.scale);
    CUDA_CHECK_LAUNCH();
    if (!batch.clamp) return;
    clamp_all<<<blocks, kBlock, 0, stream>>>(batch.out, batch.n, 1.0f);
    CUDA_CHECK_LAUNCH();
}

void serve(Server& server, const Batch& batch, cudaStream_t stream) {
    cudaGraph_t graph = nullptr;

    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    launch_batch(batch, stream);
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphDestroy(graph));

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

    CUDA_CHECK(cudaGraphLaunch(server.exec, stream));
}

void close(Server& server) {
    if (server.exec != nullptr) CUDA_CHECK(cudaGraphExecDestroy(server.exec));
    server.exec = nullptr;
}

/// The parameters of the scaling of a batch. `arguments` must live as long as they are used.
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

void retarget(OneNode& one, const Batch& batch) {
    Batch wanted = batch;
    void* arguments[] = {&wanted.in, &wanted.out, &wanted.n, &wanted.scale};
    cudaKernelNodeParams params = scale_params(wanted, arguments);
    CUDA_CHECK(cudaGraphExecKernelNodeSetParams(one.exec, one.node, &params));
}

}  // namespace graphs

// For tests of graphs: graphs and instances with destructors, and small kernels.
#pragma once

#include <initializer_list>
#include <tuple>
#include <vector>

#include "stream_fixture.cuh"

__global__ void scale(int* data, int factor, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) data[i] *= factor;
}

__global__ void add_one(int* data) {
    data[threadIdx.x] += 1;
}

__global__ void plus(const int* in, int* out, int value) {
    out[threadIdx.x] = in[threadIdx.x] + value;
}

__global__ void slow_plus(const int* in, int* out, int value) {
    linger();
    out[threadIdx.x] = in[threadIdx.x] + value;
}

__global__ void sum_of(const int* a, const int* b, int* out) {
    const int i = static_cast<int>(threadIdx.x);
    if (i < 100) out[i] = a[i] + b[i];
}

inline void double_on_host(void* data) {
    for (int i = 0; i < 10; ++i) static_cast<int*>(data)[i] *= 2;
}

/// A graph that the test builds node by node.
struct Graph {
    Graph() { cudaGraphCreate(&handle, 0); }
    ~Graph() { cudaGraphDestroy(handle); }
    Graph(const Graph&) = delete;
    operator cudaGraph_t() const { return handle; }

    template <class... Parameters, class... Arguments>
    cudaGraphNode_t kernel(std::initializer_list<cudaGraphNode_t> before, void (*function)(Parameters...),
                           unsigned blocks, unsigned threads, Arguments... arguments) {
        std::tuple<Parameters...> values(arguments...);
        cudaKernelNodeParams params = {};
        cudaGraphNode_t node = nullptr;
        std::apply(
            [&](auto&... one) {
                void* pointers[] = {const_cast<void*>(static_cast<const void*>(&one))...};
                params.func = reinterpret_cast<void*>(function);
                params.gridDim = dim3(blocks);
                params.blockDim = dim3(threads);
                params.kernelParams = pointers;
                CHECK_CUDA(cudaGraphAddKernelNode(&node, handle, before.begin(), before.size(), &params),
                           cudaSuccess);
            },
            values);
        return node;
    }

    cudaGraph_t handle = nullptr;
};

/// A graph from a capture of everything that the function queues in the stream.
struct Captured {
    template <class Body>
    Captured(cudaStream_t stream, Body body, cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
        CHECK_CUDA(cudaStreamBeginCapture(stream, mode), cudaSuccess);
        body();
        CHECK_CUDA(cudaStreamEndCapture(stream, &handle), cudaSuccess);
    }
    ~Captured() { CHECK_CUDA(cudaGraphDestroy(handle), cudaSuccess); }
    Captured(const Captured&) = delete;
    operator cudaGraph_t() const { return handle; }
    cudaGraph_t handle = nullptr;
};

struct Instance {
    explicit Instance(cudaGraph_t graph, unsigned long long flags = 0) {
        CHECK_CUDA(cudaGraphInstantiate(&handle, graph, flags), cudaSuccess);
    }
    ~Instance() { cudaGraphExecDestroy(handle); }
    Instance(const Instance&) = delete;
    operator cudaGraphExec_t() const { return handle; }

    /// Launches the instance `times` times, one launch after another, and waits at the end.
    void run(cudaStream_t stream, int times = 1) const {
        for (int i = 0; i < times; ++i) CHECK_CUDA(cudaGraphLaunch(handle, stream), cudaSuccess);
        CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    }
    cudaGraphExec_t handle = nullptr;
};

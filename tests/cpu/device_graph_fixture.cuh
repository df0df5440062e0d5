// For tests of device graphs: graphs with conditional nodes, and instances that kernels can launch.
#pragma once

#include "graph_fixture.cuh"

/// These create a handle for a condition, without and with a default value.
inline cudaGraphConditionalHandle condition(cudaGraph_t graph) {
    cudaGraphConditionalHandle handle = 0;
    CHECK_CUDA(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0), cudaSuccess);
    return handle;
}
inline cudaGraphConditionalHandle condition(cudaGraph_t graph, unsigned value) {
    cudaGraphConditionalHandle handle = 0;
    CHECK_CUDA(cudaGraphConditionalHandleCreate(&handle, graph, value, cudaGraphCondAssignDefault),
               cudaSuccess);
    return handle;
}

/// A conditional node and its bodies.
struct Conditional {
    Conditional(cudaGraph_t graph, std::initializer_list<cudaGraphNode_t> before,
                cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type, unsigned size) {
        cudaGraphNodeParams params = {};
        params.type = cudaGraphNodeTypeConditional;
        params.conditional.handle = handle;
        params.conditional.type = type;
        params.conditional.size = size;
        CHECK_CUDA(cudaGraphAddNode(&node, graph, before.begin(), nullptr, before.size(), &params),
                   cudaSuccess);
        for (unsigned i = 0; i < size; ++i) bodies.push_back(params.conditional.phGraph_out[i]);
    }
    cudaGraphNode_t node = nullptr;
    std::vector<cudaGraph_t> bodies;
};

/// Adds a kernel to a graph, which can be a body of a conditional node.
template <class... Parameters, class... Arguments>
cudaGraphNode_t add_kernel(cudaGraph_t graph, std::initializer_list<cudaGraphNode_t> before,
                           void (*function)(Parameters...), unsigned blocks, unsigned threads,
                           Arguments... arguments) {
    std::tuple<Parameters...> values(arguments...);
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeKernel;
    cudaGraphNode_t node = nullptr;
    std::apply(
        [&](auto&... one) {
            void* pointers[] = {const_cast<void*>(static_cast<const void*>(&one))...};
            params.kernel.func = reinterpret_cast<void*>(function);
            params.kernel.gridDim = dim3(blocks);
            params.kernel.blockDim = dim3(threads);
            params.kernel.kernelParams = pointers;
            CHECK_CUDA(cudaGraphAddNode(&node, graph, before.begin(), nullptr, before.size(), &params),
                       cudaSuccess);
        },
        values);
    return node;
}

/// An instance that kernels can launch.
struct ForDevice : Instance {
    ForDevice(cudaGraph_t graph, cudaStream_t stream)
        : Instance(graph, cudaGraphInstantiateFlagDeviceLaunch) {
        CHECK_CUDA(cudaGraphUpload(handle, stream), cudaSuccess);
        CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    }
};

__global__ void write_down(int* list, int* length, int value) {
    list[atomicAdd(length, 1)] = value;
}

// ---- nodes that kernels change ----

/// Makes a kernel node one that kernels can change, and returns its handle for kernels.
inline cudaGraphDeviceNode_t updatable(cudaGraphNode_t node) {
    cudaLaunchAttributeValue value = {};
    value.deviceUpdatableKernelNode.deviceUpdatable = 1;
    CHECK_CUDA(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value),
               cudaSuccess);
    cudaLaunchAttributeValue answer = {};
    CHECK_CUDA(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &answer),
               cudaSuccess);
    CHECK_EQUAL(answer.deviceUpdatableKernelNode.deviceUpdatable, 1);
    CHECK(answer.deviceUpdatableKernelNode.devNode != nullptr);
    return answer.deviceUpdatableKernelNode.devNode;
}

inline void add_edge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to) {
    CHECK_CUDA(cudaGraphAddDependencies(graph, &from, &to, nullptr, 1), cudaSuccess);
}

/// An instance that was uploaded. The kernels of this instance can change nodes of their own graph.
struct Uploaded : Instance {
    Uploaded(cudaGraph_t graph, cudaStream_t stream, unsigned long long flags = 0) : Instance(graph, flags) {
        CHECK_CUDA(cudaGraphUpload(handle, stream), cudaSuccess);
    }
};

/// Counts the blocks that run, and stores the value of the parameter.
__global__ void count_blocks(int* blocks, int value, int* seen) {
    if (threadIdx.x == 0) atomicAdd(blocks, 1);
    if (blockIdx.x == 0 && threadIdx.x == 0) *seen = value;
}

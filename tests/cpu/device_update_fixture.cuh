// Shared by the tests of nodes that kernels change.
#pragma once

#include "device_graph_fixture.cuh"

/// Makes a kernel node changeable by kernels, and returns its handle.
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

/// An instance that was uploaded, for graphs whose kernels change their own nodes.
struct Uploaded : Instance {
    Uploaded(cudaGraph_t graph, cudaStream_t stream, unsigned long long flags = 0) : Instance(graph, flags) {
        CHECK_CUDA(cudaGraphUpload(handle, stream), cudaSuccess);
    }
};

/// The number of blocks that ran, and the value that they had.
__global__ void count_blocks(int* blocks, int value, int* seen) {
    if (threadIdx.x == 0) atomicAdd(blocks, 1);
    if (blockIdx.x == 0 && threadIdx.x == 0) *seen = value;
}

// Given: adds a kernel to a graph, or to the body of a conditional node (topic 14 writes this out); checks launches and changes.
#pragma once

#include <initializer_list>
#include <tuple>

#include "kit.cuh"

namespace device_graphs {

/// A launch that is refused must not go unnoticed: the graph would not run, and nobody would miss it.
__device__ inline void expect_launched(cudaError_t error) {
    if (error != cudaSuccess) __trap();
}

/// Nor must a change that is refused: the node would run as it was.
__device__ inline void expect_changed(cudaError_t error) {
    if (error != cudaSuccess) __trap();
}

/// A node that runs kernel<<<blocks, threads>>>(arguments...) after the nodes `before`.
template <class... Parameters, class... Arguments>
cudaGraphNode_t add_kernel(cudaGraph_t graph, std::initializer_list<cudaGraphNode_t> before,
                           void (*kernel)(Parameters...), int blocks, int threads, Arguments... arguments) {
    std::tuple<Parameters...> values(arguments...);
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeKernel;
    cudaGraphNode_t node = nullptr;
    std::apply(
        [&](auto&... one) {
            void* pointers[] = {const_cast<void*>(static_cast<const void*>(&one))...};
            params.kernel.func = reinterpret_cast<void*>(kernel);
            params.kernel.gridDim = dim3(static_cast<unsigned>(blocks));
            params.kernel.blockDim = dim3(static_cast<unsigned>(threads));
            params.kernel.kernelParams = pointers;
            CUDA_CHECK(cudaGraphAddNode(&node, graph, before.begin(), nullptr, before.size(), &params));
        },
        values);
    return node;
}

}  // namespace device_graphs

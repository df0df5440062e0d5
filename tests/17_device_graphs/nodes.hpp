// Given: adds a kernel to a graph or to the body of a conditional node (topic 14 writes this out), and checks launches and changes.
#pragma once

#include <initializer_list>
#include <tuple>

#include "kit.cuh"

namespace device_graphs {

/// Ends the kernel if a launch is refused. Otherwise the graph would not run, and no code would notice.
__device__ inline void expect_launched(cudaError_t error) {
    if (error != cudaSuccess) __trap();
}

/// Ends the kernel if a change is refused. Otherwise the node would run unchanged.
__device__ inline void expect_changed(cudaError_t error) {
    if (error != cudaSuccess) __trap();
}

/// Adds a node that runs kernel<<<blocks, threads>>>(arguments...) after the nodes `before`.
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

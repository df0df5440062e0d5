// Nodes that copy to and from variables, and functions that set the parameters of a node of any type.
#include "conformance.cuh"

__device__ int numbers[4];

__global__ void triple() {
    numbers[threadIdx.x] *= 3;
}

/// Launches the instance once and waits.
void run(cudaGraphExec_t exec) {
    CHECK_CUDA(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
}

CASE("to a variable, a kernel, and back; then from another array") {
    int in[4] = {1, 2, 3, 4}, other[2] = {10, 20}, out[4] = {};
    cudaGraph_t graph;
    cudaGraphNode_t up, kernel, down;
    REQUIRE_CUDA(cudaGraphCreate(&graph, 0));
    REQUIRE_CUDA(cudaGraphAddMemcpyNodeToSymbol(&up, graph, nullptr, 0, numbers, in, sizeof in, 0,
                                                cudaMemcpyHostToDevice));
    cudaKernelNodeParams launch{};
    launch.func = reinterpret_cast<void*>(triple);
    launch.gridDim = dim3(1);
    launch.blockDim = dim3(4);
    REQUIRE_CUDA(cudaGraphAddKernelNode(&kernel, graph, &up, 1, &launch));
    REQUIRE_CUDA(cudaGraphAddMemcpyNodeFromSymbol(&down, graph, &kernel, 1, out, numbers, sizeof out, 0,
                                                  cudaMemcpyDeviceToHost));
    cudaGraphExec_t exec;
    REQUIRE_CUDA(cudaGraphInstantiate(&exec, graph, 0));
    run(exec);
    CHECK_EQUAL(std::vector<int>(out, out + 4), std::vector<int>{3, 6, 9, 12});

    CHECK_CUDA(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, up, numbers, other, sizeof other, 0,
                                                        cudaMemcpyHostToDevice),
               cudaSuccess);
    run(exec);
    CHECK_EQUAL(std::vector<int>(out, out + 4), std::vector<int>{30, 60, 27, 36});
    CHECK_CUDA(cudaGraphExecDestroy(exec), cudaSuccess);
    CHECK_CUDA(cudaGraphDestroy(graph), cudaSuccess);
}

CASE("a fill is changed in the graph and in the instance") {
    const Buffer<int> data(4, 1);
    cudaMemsetParams fill{};
    fill.dst = data.data();
    fill.elementSize = 4;
    fill.width = 4;
    fill.height = 1;
    fill.value = 5;
    cudaGraph_t graph;
    cudaGraphNode_t node;
    REQUIRE_CUDA(cudaGraphCreate(&graph, 0));
    REQUIRE_CUDA(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeMemset;
    params.memset.dst = data.data();
    params.memset.elementSize = 4;
    params.memset.width = 4;
    params.memset.height = 1;
    params.memset.value = 6;
    CHECK_CUDA(cudaGraphNodeSetParams(node, &params), cudaSuccess);
    cudaGraphExec_t exec;
    REQUIRE_CUDA(cudaGraphInstantiate(&exec, graph, 0));
    run(exec);
    CHECK_EQUAL(data.read(), std::vector<int>(4, 6));
    params.memset.value = 7;
    CHECK_CUDA(cudaGraphExecNodeSetParams(exec, node, &params), cudaSuccess);
    run(exec);
    CHECK_EQUAL(data.read(), std::vector<int>(4, 7));
    CHECK_CUDA(cudaGraphExecDestroy(exec), cudaSuccess);
    CHECK_CUDA(cudaGraphDestroy(graph), cudaSuccess);
}

CONFORMANCE_MAIN("graph_symbols")

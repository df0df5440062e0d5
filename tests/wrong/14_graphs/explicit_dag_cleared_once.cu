// wrong: sets the total to 0 when the graph is built: right at the first launch only
// diagnosis: the node `clear` is not in the graph

#include "14_graphs/14_graphs.hpp"
#include "14_graphs/count_calls.hpp"  // the grader counts this file's captures, instances and launches
#include "kit.cuh"

namespace graphs {

__global__ void square_all(const int* in, int* squares, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) squares[i] = in[i] * in[i];
}

/// One atomic per warp would do; see lecture 07. Here the edges matter.
__global__ void add_all(const int* squares, unsigned long long* total, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(total, static_cast<unsigned long long>(squares[i]));
}

/// A kernel node of enough blocks for n elements. `arguments` holds a pointer to each argument, as
/// cudaLaunchKernel takes them.
cudaKernelNodeParams kernel_params(void* kernel, int n, void** arguments) {
    cudaKernelNodeParams params = {};
    params.func = kernel;
    params.gridDim = dim3(kit::ceil_div(n, kBlock));
    params.blockDim = dim3(kBlock);
    params.kernelParams = arguments;
    return params;
}

cudaGraph_t build_dag(const Dag& dag, DagNodes& nodes) {
    cudaGraph_t graph = nullptr;
    nodes = {};
    CUDA_CHECK(cudaGraphCreate(&graph, 0));

    CUDA_CHECK(cudaGraphAddMemcpyNode1D(&nodes.upload, graph, nullptr, 0, dag.in, dag.host_in,
                                        dag.n * sizeof(int), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(dag.total, 0, sizeof *dag.total));

    int n = dag.n;
    int* in = dag.in;
    int* squares = dag.squares;
    unsigned long long* total = dag.total;
    void* square_arguments[] = {&in, &squares, &n};
    cudaKernelNodeParams square = kernel_params(reinterpret_cast<void*>(square_all), n, square_arguments);
    CUDA_CHECK(cudaGraphAddKernelNode(&nodes.square, graph, &nodes.upload, 1, &square));

    cudaGraphNode_t before_add_up[] = {nodes.square};
    void* add_arguments[] = {&squares, &total, &n};
    cudaKernelNodeParams add_up = kernel_params(reinterpret_cast<void*>(add_all), n, add_arguments);
    CUDA_CHECK(cudaGraphAddKernelNode(&nodes.add_up, graph, before_add_up, 1, &add_up));

    CUDA_CHECK(cudaGraphAddMemcpyNode1D(&nodes.download, graph, &nodes.add_up, 1, dag.host_total, dag.total,
                                        sizeof *dag.total, cudaMemcpyDeviceToHost));
    cudaHostNodeParams tell = {dag.tell, dag.context};
    CUDA_CHECK(cudaGraphAddHostNode(&nodes.tell, graph, &nodes.download, 1, &tell));

    return graph;
}

}  // namespace graphs

// 14_graphs/explicit_dag: a graph node by node: copies, memset, kernels, host function.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests explicit_dag.cu
//        ../../tests/14_graphs/explicit_dag_test.cu -o explicit_dag
// Run:   ./explicit_dag
//
//   v5  build_dag: adds every node and every edge explicitly

#include "14_graphs/14_graphs.hpp"
#include "14_graphs/count_calls.hpp"  // the grader counts the captures, instances and launches in this file
#include "kit.cuh"

namespace graphs {

__global__ void square_all(const int* in, int* squares, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) squares[i] = in[i] * in[i];
}

/// Adds all values with one atomic each. One atomic per warp would suffice (lecture 07), but here the edges matter.
__global__ void add_all(const int* squares, unsigned long long* total, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(total, static_cast<unsigned long long>(squares[i]));
}

/// Returns the parameters of a kernel node with enough blocks for n elements. `arguments` holds a pointer to
/// each argument, as for cudaLaunchKernel.
cudaKernelNodeParams kernel_params(void* kernel, int n, void** arguments) {
    cudaKernelNodeParams params = {};
    params.func = kernel;
    params.gridDim = dim3(kit::ceil_div(n, kBlock));
    params.blockDim = dim3(kBlock);
    params.kernelParams = arguments;
    return params;
}

// v5: like a capture of the same work, but without edges that only the order in a stream causes.
// Cost    : no stream and no events, but more code.
// Requires: arguments are copied when a node is added; the data that they point to is read at each launch.
// Next    : launch the graph again with other values, without rebuilding it; see v6 in update.cu.
// [build]
cudaGraph_t build_dag(const Dag& dag, DagNodes& nodes) {
    cudaGraph_t graph = nullptr;
    nodes = {};
    CUDA_CHECK(cudaGraphCreate(&graph, 0));

    // TODO(1): Add two nodes without dependencies: `upload` copies dag.host_in to dag.in, and `clear` is a
    // memset node that sets the 8 bytes of dag.total to 0. About 9 lines.
    KIT_TODO(1, dag, nodes);

    // TODO(2): Add the kernel nodes: `square` after `upload`, and `add_up` after both `square` and `clear`. Pass
    // the arguments of a kernel as an array of pointers to them. About 11 lines.
    KIT_TODO(2, dag, nodes);

    // TODO(3): Add `download`, which copies dag.total to dag.host_total after `add_up`. Then add `tell`, which
    // calls dag.tell with dag.context after `download`. About 4 lines.
    KIT_TODO(3, dag, nodes);

    return graph;
}
// [/build]

}  // namespace graphs

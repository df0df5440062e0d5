// 14_graphs/explicit_dag: a graph built by hand: kernels, copies, a memset, a host function, and their edges.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests explicit_dag.cu
//        ../../tests/14_graphs/explicit_dag_test.cu -o explicit_dag
// Run:   ./explicit_dag
//
//   v5  build_dag: every node and every edge is written down

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

// v5: like a capture of the same work, but nothing is ordered by accident.
// Cost    : no stream, no events; more to write.
// Requires: arguments are copied when a node is added; what they point to is read at each launch.
// Next    : launch it again with other values, and do not build it anew; see v6 in update.cu.
// [build]
cudaGraph_t build_dag(const Dag& dag, DagNodes& nodes) {
    cudaGraph_t graph = nullptr;
    nodes = {};
    CUDA_CHECK(cudaGraphCreate(&graph, 0));

    // TODO(1): Two nodes that need nothing: `upload` copies dag.host_in to dag.in, `clear` is a memset node
    // that sets the 8 bytes of dag.total to 0. About 9 lines.
    // BEGIN SOLUTION 1
    CUDA_CHECK(cudaGraphAddMemcpyNode1D(&nodes.upload, graph, nullptr, 0, dag.in, dag.host_in,
                                        dag.n * sizeof(int), cudaMemcpyHostToDevice));
    cudaMemsetParams zero = {};
    zero.dst = dag.total;
    zero.value = 0;
    zero.elementSize = 4;
    zero.width = sizeof *dag.total / 4;  // elements, not bytes
    zero.height = 1;
    CUDA_CHECK(cudaGraphAddMemsetNode(&nodes.clear, graph, nullptr, 0, &zero));
    // STARTER KIT_TODO(1, dag, nodes);
    // END SOLUTION 1

    // TODO(2): The kernel nodes: `square` after `upload`; `add_up` after both `square` and `clear`. About 8
    // lines; the arguments of a kernel are an array of pointers to them.
    // BEGIN SOLUTION 2
    int n = dag.n;
    int* in = dag.in;
    int* squares = dag.squares;
    unsigned long long* total = dag.total;
    void* square_arguments[] = {&in, &squares, &n};
    cudaKernelNodeParams square = kernel_params(reinterpret_cast<void*>(square_all), n, square_arguments);
    CUDA_CHECK(cudaGraphAddKernelNode(&nodes.square, graph, &nodes.upload, 1, &square));

    cudaGraphNode_t before_add_up[] = {nodes.square, nodes.clear};
    void* add_arguments[] = {&squares, &total, &n};
    cudaKernelNodeParams add_up = kernel_params(reinterpret_cast<void*>(add_all), n, add_arguments);
    CUDA_CHECK(cudaGraphAddKernelNode(&nodes.add_up, graph, before_add_up, 2, &add_up));
    // STARTER KIT_TODO(2, dag, nodes);
    // END SOLUTION 2

    // TODO(3): `download` copies dag.total to dag.host_total after `add_up`; `tell` calls dag.tell with
    // dag.context after that. About 5 lines.
    // BEGIN SOLUTION 3
    CUDA_CHECK(cudaGraphAddMemcpyNode1D(&nodes.download, graph, &nodes.add_up, 1, dag.host_total, dag.total,
                                        sizeof *dag.total, cudaMemcpyDeviceToHost));
    cudaHostNodeParams tell = {dag.tell, dag.context};
    CUDA_CHECK(cudaGraphAddHostNode(&nodes.tell, graph, &nodes.download, 1, &tell));
    // STARTER KIT_TODO(3, dag, nodes);
    // END SOLUTION 3

    return graph;
}
// [/build]

}  // namespace graphs

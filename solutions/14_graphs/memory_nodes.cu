// 14_graphs/memory_nodes: memory that belongs to the graph.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests memory_nodes.cu
//        ../../tests/14_graphs/memory_nodes_test.cu -o memory_nodes
// Run:   ./memory_nodes
//
//   v8  record_filter: allocation and free are nodes, and each launch frees the result of the previous launch

#include "14_graphs/14_graphs.hpp"
#include "14_graphs/count_calls.hpp"  // the grader counts the captures, instances and launches in this file
#include "kit.cuh"

namespace graphs {

__global__ void add_neighbours(const int* in, int* sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sums[i] = in[i] + in[(i + 1) % n];
}

__global__ void multiply_neighbours(const int* sums, int* result, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = sums[i] * sums[(i + 1) % n];
}

// v8: like a capture with memory from outside, but the graph allocates its own memory.
// Cost    : the memory is free between launches; the addresses are the same in every launch.
// Requires: cudaMallocAsync and cudaFreeAsync in the capturing stream; cudaMalloc would invalidate the capture.
// Next    : graphs that launch graphs; see lecture 17.
// [record]
Filter record_filter(const int* in, int n, cudaStream_t stream) {
    Filter filter;
    int blocks = kit::ceil_div(n, kBlock);
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));

    // TODO(1): In the capturing stream, allocate n ints for the sums and launch add_neighbours. Allocate n ints
    // for filter.result and launch multiply_neighbours. Free the sums, but not the result. About 6 lines.
    // BEGIN SOLUTION 1
    int* sums = nullptr;
    CUDA_CHECK(cudaMallocAsync(&sums, n * sizeof(int), stream));
    add_neighbours<<<blocks, kBlock, 0, stream>>>(in, sums, n);
    CUDA_CHECK(cudaMallocAsync(&filter.result, n * sizeof(int), stream));
    multiply_neighbours<<<blocks, kBlock, 0, stream>>>(sums, filter.result, n);
    CUDA_CHECK(cudaFreeAsync(sums, stream));
    // STARTER KIT_TODO(1, in, blocks);
    // END SOLUTION 1

    CUDA_CHECK_LAUNCH();  // neither launch has failed
    CUDA_CHECK(cudaStreamEndCapture(stream, &filter.graph));

    // TODO(2): Instantiate with the flag that lets each launch free the memory that the previous one left. 1 line.
    // BEGIN SOLUTION 2
    CUDA_CHECK(cudaGraphInstantiate(&filter.exec, filter.graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    // STARTER KIT_TODO(2, filter);
    // STARTER CUDA_CHECK(cudaGraphInstantiate(&filter.exec, filter.graph, 0));
    // END SOLUTION 2

    return filter;
}

void release(Filter& filter, bool launched, cudaStream_t stream) {
    // TODO(3): If there was a launch, free the result of the last launch in the stream. Then destroy the
    // instance and the graph. 3 lines.
    // BEGIN SOLUTION 3
    if (launched) CUDA_CHECK(cudaFreeAsync(filter.result, stream));
    CUDA_CHECK(cudaGraphExecDestroy(filter.exec));
    CUDA_CHECK(cudaGraphDestroy(filter.graph));
    // STARTER KIT_TODO(3, launched, stream);
    // END SOLUTION 3
    filter = {};
}
// [/record]

}  // namespace graphs

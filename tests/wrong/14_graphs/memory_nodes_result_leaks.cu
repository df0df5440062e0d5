// wrong: does not free the result of the last launch
// diagnosis: release did not free the last result
// backends: cpu (a GPU does not tell of an address whether it is allocated)
// sanitizer.all: leaks are told on request only

#include "14_graphs/14_graphs.hpp"
#include "14_graphs/count_calls.hpp"  // the grader counts this file's captures, instances and launches
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

Filter record_filter(const int* in, int n, cudaStream_t stream) {
    Filter filter;
    int blocks = kit::ceil_div(n, kBlock);
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));

    int* sums = nullptr;
    CUDA_CHECK(cudaMallocAsync(&sums, n * sizeof(int), stream));
    add_neighbours<<<blocks, kBlock, 0, stream>>>(in, sums, n);
    CUDA_CHECK(cudaMallocAsync(&filter.result, n * sizeof(int), stream));
    multiply_neighbours<<<blocks, kBlock, 0, stream>>>(sums, filter.result, n);
    CUDA_CHECK(cudaFreeAsync(sums, stream));

    CUDA_CHECK(cudaStreamEndCapture(stream, &filter.graph));

    CUDA_CHECK(cudaGraphInstantiate(&filter.exec, filter.graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));

    return filter;
}

void release(Filter& filter, bool launched, cudaStream_t stream) {
    (void)launched, (void)stream;
    CUDA_CHECK(cudaGraphExecDestroy(filter.exec));
    CUDA_CHECK(cudaGraphDestroy(filter.graph));
    filter = {};
}

}  // namespace graphs

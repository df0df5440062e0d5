// 13_streams/host_function: host code that runs in stream order.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests host_function.cu
//        ../../tests/13_streams/host_function_test.cu -o host_function
// Run:   ./host_function
//
//   v8  sum_and_wait: the host waits for each batch, and then reports it (given)
//   v9  sum_batches: like v8, but a host function reports each batch, and the host does not wait

#include <memory>

#include "13_streams/13_streams.hpp"
#include "grader/count_calls.hpp"  // the grader counts the waits in this file
#include "kit.cuh"

namespace streams {

__global__ void add_up(const int* in, int n, unsigned long long* total) {
    __shared__ unsigned long long sum;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();  // all threads add to the sum that thread 0 has set
    if (i < n) atomicAdd(&sum, static_cast<unsigned long long>(in[i]));
    __syncthreads();  // thread 0 reads the sum of all threads
    if (threadIdx.x == 0) atomicAdd(total, sum);
}

/// Queues the sum of one batch and the copy of its total to the host (given).
void queue_total(const Batches& batches, int batch, cudaStream_t stream) {
    std::size_t bytes = sizeof(unsigned long long);
    CUDA_CHECK(cudaMemsetAsync(batches.totals + batch, 0, bytes, stream));
    add_up<<<kit::ceil_div(batches.n, kBlock), kBlock, 0, stream>>>(
        batches.in + static_cast<std::size_t>(batch) * batches.n, batches.n, batches.totals + batch);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpyAsync(batches.host_totals + batch, batches.totals + batch, bytes,
                               cudaMemcpyDeviceToHost, stream));
}

// v8: the host waits for each batch.
// Cost    : the device is idle between two batches, and the host can do nothing else while it waits.
// Next    : the stream itself can call a host function; see v9.
// [sum_and_wait]
void sum_and_wait(const Batches& batches, cudaStream_t stream) {
    for (int batch = 0; batch < batches.batches; ++batch) {
        queue_total(batches, batch, stream);
        CUDA_CHECK(cudaStreamSynchronize(stream));
        batches.tell(batches.context, batch, batches.host_totals[batch]);
    }
}
// [/sum_and_wait]

// TODO(1): Write a structure with everything that the host function needs for its batch, and the function. It gets one pointer, owns the
// structure, and calls `tell` with the total of its batch. When is this total known? About 11 lines.
void CUDART_CB deliver(void* data) {
    KIT_TODO(1, data);
}

// v9: like v8, but the call is queued after the copy.
// Cost    : the host continues immediately; the stream waits for each host function as for a kernel.
// Requires: data of the function lives until it runs; the function calls no CUDA API and does not take long.
// [sum_batches]
void sum_batches(const Batches& batches, cudaStream_t stream) {
    for (int batch = 0; batch < batches.batches; ++batch) {
        // TODO(2): Queue the sum and its copy, then `deliver` with a message that lives until it runs. About 5 lines.
        KIT_TODO(2, batch, stream, deliver);
    }
}
// [/sum_batches]

}  // namespace streams

// 13_streams/stream_allocation: memory that is allocated and freed in stream order.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests stream_allocation.cu
//        ../../tests/13_streams/stream_allocation_test.cu -o stream_allocation
// Run:   ./stream_allocation
//
//   v5  smooth_and_wait: scratch memory from cudaMalloc; cudaFree waits for the device (given)
//   v6  smooth: like v5, but the stream allocates and frees the memory
//   v7  combine_both: like v6, but a second stream uses the memory of the first

#include "13_streams/13_streams.hpp"
#include "grader/count_calls.hpp"  // the grader counts the waits in this file
#include "kit.cuh"

namespace streams {

__global__ void neighbours(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] + in[(i + 1) % n];
}

__global__ void combine(const int* left, const int* right, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 7 * left[i] - right[i];
}

// v5: cudaMalloc and cudaFree.
// Cost    : cudaFree waits for all work that is queued on the device, including other streams.
// Next    : allocate and free in the order of the stream; see v6.
// [smooth_and_wait]
void smooth_and_wait(const int* in, int* out, int n, cudaStream_t stream) {
    int blocks = kit::ceil_div(n, kBlock);
    int* sums = nullptr;
    CUDA_CHECK(cudaMalloc(&sums, n * sizeof(int)));
    neighbours<<<blocks, kBlock, 0, stream>>>(in, sums, n);
    neighbours<<<blocks, kBlock, 0, stream>>>(sums, out, n);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaFree(sums));
}
// [/smooth_and_wait]

// TODO(1): Set the release threshold of the default memory pool of device 0. 3 lines.
void keep_memory(unsigned long long bytes) {
    // BEGIN SOLUTION 1
    cudaMemPool_t pool;
    CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes));
    // STARTER KIT_TODO(1, bytes);
    // END SOLUTION 1
}

// v6: like v5, but the allocation and the free are queued in the stream.
// Cost    : no wait; the pool reuses freed memory without the driver.
// Requires: every use of the memory comes after the allocation and before the free.
// Next    : two streams; see v7.
// [smooth]
void smooth(const int* in, int* out, int n, cudaStream_t stream) {
    int blocks = kit::ceil_div(n, kBlock);
    // TODO(2): Do the same as v5, with memory that the stream allocates. About 6 lines.
    // BEGIN SOLUTION 2
    int* sums = nullptr;
    CUDA_CHECK(cudaMallocAsync(&sums, n * sizeof(int), stream));
    neighbours<<<blocks, kBlock, 0, stream>>>(in, sums, n);
    neighbours<<<blocks, kBlock, 0, stream>>>(sums, out, n);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaFreeAsync(sums, stream));
    // STARTER KIT_TODO(2, in, out, n, stream, blocks);
    // END SOLUTION 2
}
// [/smooth]

// v7: like v6, but `r` is allocated and written in one stream, read in the other and freed there.
// Cost    : the two sums can overlap: 2 steps.
// Requires: an event after the write; a free after the last use, in either stream.
// [combine_both]
void combine_both(const int* left, const int* right, int* out, int n, cudaStream_t main, cudaStream_t side,
                  const Meeting& meeting) {
    int blocks = kit::ceil_div(n, kBlock);

    // TODO(3): Let `side` start after the work queued in `main`. Allocate and compute r in `side`, and l in
    // `main`. About 7 lines.
    // BEGIN SOLUTION 3
    int *l = nullptr, *r = nullptr;
    CUDA_CHECK(cudaEventRecord(meeting.forked, main));
    CUDA_CHECK(cudaStreamWaitEvent(side, meeting.forked, 0));
    CUDA_CHECK(cudaMallocAsync(&r, n * sizeof(int), side));
    neighbours<<<blocks, kBlock, 0, side>>>(right, r, n);
    CUDA_CHECK(cudaMallocAsync(&l, n * sizeof(int), main));
    neighbours<<<blocks, kBlock, 0, main>>>(left, l, n);
    // STARTER KIT_TODO(3, left, right, n, main, side, meeting, blocks);
    // END SOLUTION 3

    // TODO(4): Let `main` wait for r, combine, and free both after their last use. About 6 lines.
    // BEGIN SOLUTION 4
    CUDA_CHECK(cudaEventRecord(meeting.joined, side));
    CUDA_CHECK(cudaStreamWaitEvent(main, meeting.joined, 0));
    combine<<<blocks, kBlock, 0, main>>>(l, r, out, n);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaFreeAsync(l, main));
    CUDA_CHECK(cudaFreeAsync(r, main));
    // STARTER KIT_TODO(4, out, n, main, side, meeting, blocks);
    // END SOLUTION 4
}
// [/combine_both]

}  // namespace streams

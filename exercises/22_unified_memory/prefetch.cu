// 22_unified_memory/prefetch: pages that move in the stream.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests prefetch.cu
//        ../../tests/22_unified_memory/prefetch_test.cu -o prefetch
// Run:   ./prefetch
//
//   v2  axpy_v2: the kernel finds all of its pages on the device

#include "22_unified_memory/22_unified_memory.hpp"
#include "grader/count_calls.hpp"  // the grader counts the waits in this file
#include "kit.cuh"

namespace unified_memory {

// v2: one element per thread.
// Mapping : one thread per element.
// Cost    : without a prefetch, each page of x and y costs a page fault, and the threads that need it wait for its copy.
// Requires: nothing; n may be ragged.
// [v2]
__global__ void axpy_v2(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
// [/v2]

// [axpy]
void axpy(int n, float a, const float* x, float* y, cudaStream_t stream) {
    if (n == 0) return;
    int device = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    std::size_t bytes = static_cast<std::size_t>(n) * sizeof(float);

    // TODO(1): Set `concurrent` to whether this device has concurrent access to managed memory. 1 line.
    int concurrent = 0;
    KIT_TODO(1, concurrent, device);

    // TODO(2): If it has, queue the prefetches of both arrays to the device in `stream`. About 5 lines.
    KIT_TODO(2, concurrent, device, bytes, stream);

    axpy_v2<<<kit::ceil_div(n, 256), 256, 0, stream>>>(n, a, x, y);
    CUDA_CHECK_LAUNCH();

    // TODO(3): The host will read y next. If possible, queue its prefetch to the host. 2 lines.
    KIT_TODO(3, concurrent, bytes, stream);
}
// [/axpy]

}  // namespace unified_memory

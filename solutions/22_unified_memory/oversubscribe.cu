// 22_unified_memory/oversubscribe: an array that does not fit, in windows.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests oversubscribe.cu
//        ../../tests/22_unified_memory/oversubscribe_test.cu -o oversubscribe
// Run:   ./oversubscribe
//
//   v5  step_v5: one step for the elements of a window

#include <algorithm>

#include "22_unified_memory/22_unified_memory.hpp"
#include "kit.cuh"

namespace unified_memory {

// v5: one step for a window.
// Mapping : one thread per element.
// Cost    : a step reads and writes each element once, so a window that stays on the device crosses the bus only twice.
// Requires: the step of an element needs no other element.
// [v5]
__global__ void step_v5(unsigned* x, std::size_t n, unsigned a, unsigned b) {
    std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) x[i] = a * x[i] + b;
}
// [/v5]

// [windows]
std::size_t window_elements() {
    std::size_t left = 0, total = 0;
    // TODO(1): Return how many elements fit into one third of the free memory of the device: two windows, and a reserve. At least 1.
    // 2 lines.
    // BEGIN SOLUTION 1
    CUDA_CHECK(cudaMemGetInfo(&left, &total));
    return std::max(left / 3 / sizeof(unsigned), std::size_t{1});
    // STARTER KIT_TODO(1, left, total);
    // STARTER return 1;
    // END SOLUTION 1
}

void iterate(unsigned* x, std::size_t n, int steps, unsigned a, unsigned b, std::size_t window) {
    int device = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    cudaMemLocation on_device = {cudaMemLocationTypeDevice, device};
    cudaMemLocation on_host = {cudaMemLocationTypeHost, 0};
    cudaStream_t stream;
    CUDA_CHECK(cudaStreamCreate(&stream));
    for (std::size_t first = 0; first < n; first += window) {
        std::size_t count = std::min(window, n - first), bytes = count * sizeof(unsigned);
        unsigned blocks = static_cast<unsigned>(kit::ceil_div(count, std::size_t{256}));
        // TODO(2): Move this window to the device, apply all steps to it, and make room for the next one. About 6 lines.
        // BEGIN SOLUTION 2
        CUDA_CHECK(cudaMemPrefetchAsync(x + first, bytes, on_device, 0, stream));
        for (int step = 0; step < steps; ++step) {
            step_v5<<<blocks, 256, 0, stream>>>(x + first, count, a, b);
            CUDA_CHECK_LAUNCH();
        }
        CUDA_CHECK(cudaMemPrefetchAsync(x + first, bytes, on_host, 0, stream));
        // STARTER KIT_TODO(2, x, steps, a, b, blocks, bytes, on_device, on_host);
        // END SOLUTION 2
    }
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaStreamDestroy(stream));
}
// [/windows]

}  // namespace unified_memory

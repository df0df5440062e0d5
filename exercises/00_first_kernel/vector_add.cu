// 00_first_kernel/vector_add: a kernel and the host code around it.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests vector_add.cu
//        ../../tests/00_first_kernel/vector_add_test.cu -o vector_add
// Run:   ./vector_add
//
//   v1  add: one thread per element

#include "00_first_kernel/00_first_kernel.hpp"
#include "00_first_kernel/watch_memory.hpp"  // the grader watches the memory that you allocate
#include "kit.cuh"

namespace {

constexpr int block_size = 256;

// v1: each thread adds one pair of elements.
// Mapping : one thread per element, blocks of 256.
// Cost    : 2 global reads and 1 global write per element.
// Requires: nothing; the last block may have threads without an element.
// [kernel]
__global__ void add(const float* a, const float* b, float* c, int n) {
    // TODO(1): Compute the index of this thread in the whole grid. If it has an element, add the pair. About
    // 4 lines.
    KIT_TODO(1, a, b, c, n);
}
// [/kernel]

}  // namespace

// [vector_add]
void first_kernel::vector_add(const float* a, const float* b, float* c, int n) {
    if (n == 0) {
        return;  // a grid of zero blocks cannot be launched
    }
    std::size_t bytes = n * sizeof(float);
    float* device_a = nullptr;
    float* device_b = nullptr;
    float* device_c = nullptr;

    // TODO(2): Allocate `bytes` for each of the three device vectors, and copy a and b to the device. Wrap each
    // call in CUDA_CHECK. About 5 lines.
    KIT_TODO(2, a, b, bytes);

    // TODO(3): Compute how many blocks of `block_size` threads cover n elements. The last block may be partly idle.
    // 1 line: replace the 1.
    int blocks = 1;
    KIT_TODO(3);
    add<<<blocks, block_size>>>(device_a, device_b, device_c, n);
    CUDA_CHECK_LAUNCH();

    // TODO(4): Copy the result to c and free the three device vectors. About 4 lines.
    KIT_TODO(4, c, device_c);
}
// [/vector_add]

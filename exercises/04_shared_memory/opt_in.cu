// 04_shared_memory/opt_in: a kernel with more than 48 KB of shared memory.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests opt_in.cu
//        ../../tests/04_shared_memory/opt_in_test.cu -o opt_in
// Run:   ./opt_in
//
//   v5  permute_v5: one block holds a whole row in shared memory

#include "04_shared_memory/04_shared_memory.hpp"
#include "kit.cuh"

namespace shared_memory {

/// Threads of a block.
constexpr int kPermuteBlock = 512;

// v5: copies each row into shared memory, and back in a different order.
// Mapping : one block per row; the threads stride over the row by the block size.
// Cost    : 1 read and 1 write per element, and 1 read of the order; the bank conflicts depend on the order.
// Requires: dynamic shared memory for `columns` floats.
// Next    : a row that does not fit needs global memory, or several blocks; see 06_histogram.
// [v5]
__global__ void permute_v5(float* data, int columns, const int* order) {
    extern __shared__ float row[];
    float* mine = data + static_cast<std::size_t>(blockIdx.x) * columns;
    // TODO(1): Copy the row into shared memory. When it is complete, write it back in the new order. 3 lines.
    KIT_TODO(1, columns, order, row, mine);
}
// [/v5]

// [longest_row]
int longest_row() {
    int device = 0, bytes = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    // TODO(2): Query how many bytes of shared memory a block of this device may have if its kernel requests them. 1 line.
    KIT_TODO(2, device, bytes);
    return bytes / static_cast<int>(sizeof(float));
}
// [/longest_row]

// [permute_rows]
cudaError_t permute_rows(float* data, int rows, int columns, const int* order) {
    if (rows == 0 || columns == 0) return cudaSuccess;
    // TODO(3): If a row is too long, return the error that the contract names. Otherwise, request the bytes of a row for
    // the kernel (cudaFuncSetAttribute), and launch one block per row with that many bytes. 5 lines.
    KIT_TODO(3, data, rows, columns, order, kPermuteBlock);
    return cudaSuccess;
}
// [/permute_rows]

}  // namespace shared_memory

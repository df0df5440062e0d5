// 22_unified_memory/mapped: results in host memory, and a counter to poll.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests mapped.cu
//        ../../tests/22_unified_memory/mapped_test.cu -o mapped
// Run:   ./mapped
//
//   v4  sums_v4: one block per piece; each block publishes its sum while later blocks still run

#include <cuda/atomic>

#include "22_unified_memory/22_unified_memory.hpp"
#include "grader/count_calls.hpp"  // the grader counts the waits in this file
#include "kit.cuh"

namespace unified_memory {

// v4: the sum of each piece, straight into host memory.
// Mapping : one block per piece, and a strided loop over its elements.
// Cost    : 8 bytes per piece cross the bus. The input is read once, from wherever it is.
// Requires: blockDim.x is kThreads.
// [v4]
__global__ void sums_v4(const int* in, int piece, int* sums, int* done) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();  // the sum is 0 before any thread adds to it
    const int* mine = in + static_cast<std::size_t>(blockIdx.x) * piece;
    int of_thread = 0;
    for (int i = threadIdx.x; i < piece; i += blockDim.x) of_thread += mine[i];
    atomicAdd(&sum, of_thread);
    __syncthreads();  // all threads have added before thread 0 reads the sum
    if (threadIdx.x > 0) return;
    // TODO(1): Store the sum of this piece, and then tell the host that one more sum is complete. About 3 lines.
    KIT_TODO(1, sums, done);
}
// [/v4]

// [sums]
int piece_sums(const int* in, int pieces, int piece, std::vector<int>& sums) {
    int* results = nullptr;
    int* done = nullptr;
    // TODO(2): Pin and map the memory of `sums`, and allocate pinned and mapped memory for the counter. 2 lines.
    KIT_TODO(2, sums, done);

    // TODO(3): Get the addresses under which the device accesses both. 2 lines.
    int* counter = nullptr;
    KIT_TODO(3, results, counter, sums, done);
    *done = 0;
    sums_v4<<<pieces, 256>>>(in, piece, results, counter);
    CUDA_CHECK_LAUNCH();

    // TODO(4): Poll the counter until all sums are complete. Do not call a function that waits for the device. About 3 lines.
    KIT_TODO(4, done, pieces);
    int largest = 0;
    for (int k = 1; k < pieces; ++k)
        if (sums[k] > sums[largest]) largest = k;
    CUDA_CHECK(cudaHostUnregister(sums.data()));
    CUDA_CHECK(cudaFreeHost(done));
    return largest;
}
// [/sums]

}  // namespace unified_memory

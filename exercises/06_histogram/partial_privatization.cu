// 06_histogram/partial_privatization: more bins than fit into shared memory; some are private, some are not.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests partial_privatization.cu
//        ../../tests/06_histogram/partial_privatization_test.cu -o partial_privatization
// Run:   ./partial_privatization
//
//   v6  partial_privatization_v6: like v4, but only a range of the bins is private; the rest is global

#include <algorithm>

#include "06_histogram/06_histogram.hpp"
#include "kit.cuh"

namespace histogram {

// v6: like v4, with a test for each value: is its bin one of the kPrivateBins that this block holds?
// Mapping : grid-stride; own_bins[i] stands for bin first_private + i.
// Cost    : 1 atomic per value, near or far; 32 KB per block to clear and to add up, so: few blocks.
// Requires: the bins are 0 when the kernel starts; the private range may end beyond the last bin.
// Next    : let eight blocks hold the bins together, and none of them is far; see v7 in cluster_histogram.cu.
// [v6]
__global__ void partial_privatization_v6(const unsigned short* values, std::size_t n, unsigned int* bins,
                                         int bin_count, int first_private) {
    __shared__ unsigned int own_bins[kPrivateBins];
    for (int i = threadIdx.x; i < kPrivateBins; i += kBlock) own_bins[i] = 0;
    __syncthreads();  // all private bins are 0 before anybody counts

    std::size_t first = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    for (std::size_t i = first; i < n; i += std::size_t{gridDim.x} * kBlock) {
        int value = values[i];
        int place = value - first_private;
        // TODO(1): A value of bin_count or more is not counted. One in the private range is counted there,
        // any other one in `bins`. About 6 lines.
        KIT_TODO(1, value, place, own_bins, bins, bin_count);
    }

    // TODO(2): When the block has counted, add its private bins to those of the grid. The private range may
    // end beyond the last bin. About 5 lines.
    KIT_TODO(2, bins, bin_count, first_private);
}
// [/v6]

void partial_privatization(const unsigned short* values, std::size_t n, unsigned int* bins, int bin_count,
                           int first_private) {
    int device = 0;
    int multiprocessors = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaMemsetAsync(bins, 0, bin_count * sizeof(unsigned int)));
    std::size_t wanted =
        kit::ceil_div(n, std::size_t{4} * kPrivateBins);   // or clearing costs more than counting
    int most = std::min(kMaxBlocks, 6 * multiprocessors);  // 32 KB each: six at a time
    int blocks = static_cast<int>(std::clamp<std::size_t>(wanted, 1, most));
    partial_privatization_v6<<<blocks, kBlock>>>(values, n, bins, bin_count, first_private);
    CUDA_CHECK_LAUNCH();
}

}  // namespace histogram

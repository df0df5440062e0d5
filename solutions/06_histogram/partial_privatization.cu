// 06_histogram/partial_privatization: more bins than shared memory holds.
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

// v6: like v4, but it tests for each value whether its bin is one of the kPrivateBins that this block holds.
// Mapping : grid-stride; own_bins[i] counts for bin first_private + i.
// Cost    : 1 atomic per value, in shared or global memory; 32 KB per block to clear and to add up, so use few blocks.
// Requires: the bins are 0 when the kernel starts; the private range may end beyond the last bin.
// Next    : if eight blocks hold the bins together, all bins are in shared memory; see v7 in cluster_histogram.cu.
// [v6]
__global__ void partial_privatization_v6(const unsigned short* values, std::size_t n, unsigned int* bins,
                                         int bin_count, int first_private) {
    __shared__ unsigned int own_bins[kPrivateBins];
    for (int i = threadIdx.x; i < kPrivateBins; i += kBlock) own_bins[i] = 0;
    __syncthreads();  // all private bins are 0 before a thread counts

    std::size_t first = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    for (std::size_t i = first; i < n; i += std::size_t{gridDim.x} * kBlock) {
        int value = values[i];
        int place = value - first_private;
        // TODO(1): Do not count a value of bin_count or more. Count a value in the private range there, and any other
        // value in `bins`. About 6 lines.
        // BEGIN SOLUTION 1
        if (value >= bin_count) continue;
        if (place >= 0 && place < kPrivateBins) {
            atomicAdd(&own_bins[place], 1u);
        } else {
            atomicAdd(&bins[value], 1u);
        }
        // STARTER KIT_TODO(1, value, place, own_bins, bins, bin_count);
        // END SOLUTION 1
    }

    // TODO(2): When the whole block has counted, add its private bins to those of the grid. The private range may
    // end beyond the last bin. About 5 lines.
    // BEGIN SOLUTION 2
    __syncthreads();  // all threads have counted before a thread adds up
    int inside = min(kPrivateBins, bin_count - first_private);
    for (int i = threadIdx.x; i < inside; i += kBlock) {
        if (own_bins[i] > 0) atomicAdd(&bins[first_private + i], own_bins[i]);
    }
    // STARTER KIT_TODO(2, bins, bin_count, first_private);
    // END SOLUTION 2
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
        kit::ceil_div(n, std::size_t{4} * kPrivateBins);   // otherwise clearing costs more than counting
    int most = std::min(kMaxBlocks, 6 * multiprocessors);  // 32 KB each: six run at the same time
    int blocks = static_cast<int>(std::clamp<std::size_t>(wanted, 1, most));
    partial_privatization_v6<<<blocks, kBlock>>>(values, n, bins, bin_count, first_private);
    CUDA_CHECK_LAUNCH();
}

}  // namespace histogram

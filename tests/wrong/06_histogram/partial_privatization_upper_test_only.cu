// wrong: Only the upper end of the private range is tested: smaller values give a negative place.
// diagnosis: before the shared memory of the block
// diagnosis: Task 1, "near or far"
// backends: cpu (on a GPU the write may hit shared memory that nobody uses)
// sanitizer.says: out of bounds

#include <algorithm>

#include "06_histogram/06_histogram.hpp"
#include "kit.cuh"

namespace histogram {

__global__ void partial_privatization_v6(const unsigned short* values, std::size_t n, unsigned int* bins,
                                         int bin_count, int first_private) {
    __shared__ unsigned int own_bins[kPrivateBins];
    for (int i = threadIdx.x; i < kPrivateBins; i += kBlock) own_bins[i] = 0;
    __syncthreads();  // all private bins are 0 before anybody counts

    std::size_t first = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    for (std::size_t i = first; i < n; i += std::size_t{gridDim.x} * kBlock) {
        int value = values[i];
        int place = value - first_private;
        if (value >= bin_count) continue;
        if (place < kPrivateBins) {
            atomicAdd(&own_bins[place], 1u);
        } else {
            atomicAdd(&bins[value], 1u);
        }
    }

    __syncthreads();  // all threads have counted before anybody adds up
    int inside = min(kPrivateBins, bin_count - first_private);
    for (int i = threadIdx.x; i < inside; i += kBlock) {
        if (own_bins[i] > 0) atomicAdd(&bins[first_private + i], own_bins[i]);
    }
}

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

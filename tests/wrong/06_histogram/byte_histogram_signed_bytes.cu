// wrong: The byte is taken for a signed number: from 128 on the index is negative.
// diagnosis: before the shared memory of the block
// diagnosis: Task 2, "count"
// backends: cpu (on a GPU the counts of other copies may take the blame)
// sanitizer.all: the wrong places lie in other shared memory of the same block

#include <algorithm>

#include "06_histogram/06_histogram.hpp"
#include "kit.cuh"

namespace histogram {

__global__ void byte_histogram_v5(const unsigned char* data, std::size_t n, unsigned int* bins) {
    static_assert(kCopies * 32 == kBlock, "one private histogram per warp");
    __shared__ unsigned int own_bins[kCopies][kByteBins];

    for (int bin = threadIdx.x; bin < kByteBins; bin += kBlock) {
        for (int copy = 0; copy < kCopies; ++copy) own_bins[copy][bin] = 0;
    }
    __syncthreads();  // all counters are 0 before anybody counts

    unsigned int* warp_bins = own_bins[threadIdx.x / 32];
    std::size_t first = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    for (std::size_t i = first; i < n; i += std::size_t{gridDim.x} * kBlock)
        atomicAdd(&warp_bins[static_cast<signed char>(data[i])], 1u);

    __syncthreads();  // all warps have counted before anybody adds up
    for (int bin = threadIdx.x; bin < kByteBins; bin += kBlock) {
        unsigned int sum = 0;
        for (int copy = 0; copy < kCopies; ++copy) sum += own_bins[copy][bin];
        if (sum > 0) atomicAdd(&bins[bin], sum);
    }
}

void byte_histogram(const unsigned char* data, std::size_t n, unsigned int* bins) {
    CUDA_CHECK(cudaMemsetAsync(bins, 0, kByteBins * sizeof(unsigned int)));
    std::size_t wanted = kit::ceil_div(n, std::size_t{kBlock} * 64);
    int blocks = static_cast<int>(std::clamp<std::size_t>(wanted, 1, kMaxBlocks));
    byte_histogram_v5<<<blocks, kBlock>>>(data, n, bins);
    CUDA_CHECK_LAUNCH();
}

}  // namespace histogram

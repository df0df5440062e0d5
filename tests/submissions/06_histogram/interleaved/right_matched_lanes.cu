// expect: right
#include <algorithm>
#include "06_histogram/06_histogram.hpp"
#include "kit.cuh"

namespace histogram {

__global__ void count(const char* __restrict__ text, std::size_t n, unsigned int* bins) {
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t base = std::size_t{blockIdx.x} * blockDim.x; base < n; base += step) {
        const std::size_t i = base + threadIdx.x;
        const unsigned place = i < n ? static_cast<unsigned char>(text[i]) - 'a' : 26u;
        const int group = place < 26u ? int(place) / 4 : -1;
        const unsigned same = __match_any_sync(~0u, group);
        if (group >= 0 && __ffs(same) - 1 == int(threadIdx.x % warpSize)) atomicAdd(bins + group, __popc(same));
    }
}

void interleaved(const char* text, std::size_t n, unsigned int* bins) {
    CUDA_CHECK(cudaMemsetAsync(bins, 0, kLetterBins * sizeof(unsigned int)));
    const int blocks = int(std::clamp<std::size_t>(kit::ceil_div(n, std::size_t{kBlock} * 64), 1, kMaxBlocks));
    count<<<blocks, kBlock>>>(text, n, bins);
    CUDA_CHECK_LAUNCH();
}

}  // namespace histogram

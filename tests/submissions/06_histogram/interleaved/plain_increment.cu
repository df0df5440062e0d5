// expect: wrong; task 1|2; cause: atomic
#include <algorithm>
#include "06_histogram/06_histogram.hpp"
#include "kit.cuh"

namespace histogram {

__global__ void count(const char* __restrict__ text, std::size_t n, unsigned int* bins) {
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
        const unsigned place = static_cast<unsigned char>(text[i]) - 'a';
        if (place < 26u) ++bins[place / 4];
    }
}

void interleaved(const char* text, std::size_t n, unsigned int* bins) {
    CUDA_CHECK(cudaMemsetAsync(bins, 0, kLetterBins * sizeof(unsigned int)));
    const int blocks = int(std::clamp<std::size_t>(kit::ceil_div(n, std::size_t{kBlock} * 64), 1, kMaxBlocks));
    count<<<blocks, kBlock>>>(text, n, bins);
    CUDA_CHECK_LAUNCH();
}

}  // namespace histogram

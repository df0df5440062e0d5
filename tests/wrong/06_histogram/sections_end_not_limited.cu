// wrong: The last sections end beyond the end of the text.
// diagnosis: out of bounds
// backends: cpu (on a GPU what is read behind the text happens to hold no letters)
// sanitizer.all: what lies behind the text is the grader's guard zone, which belongs to the same allocation

#include <algorithm>

#include "06_histogram/06_histogram.hpp"
#include "kit.cuh"

namespace histogram {

namespace {

__device__ int letter_group(char c) {
    if (c < 'a' || c > 'z') return -1;
    return (c - 'a') / 4;
}

struct Section {
    std::size_t begin, end;  ///< the end is not part of it
};

__device__ Section section_of(std::size_t thread, std::size_t threads, std::size_t n) {
    std::size_t length = kit::ceil_div(n, threads);
    std::size_t begin = thread * length;
    return {begin, begin + length};
}

int blocks_for(std::size_t n) {
    std::size_t blocks = kit::ceil_div(n, std::size_t{kBlock} * 64);
    return static_cast<int>(std::clamp<std::size_t>(blocks, 1, kMaxBlocks));
}

}  // namespace

__global__ void sections_v1_racy(const char* text, std::size_t n, unsigned int* bins) {
    std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    Section mine = section_of(thread, std::size_t{gridDim.x} * blockDim.x, n);
    for (std::size_t i = mine.begin; i < mine.end; ++i) {
        int group = letter_group(text[i]);
        if (group >= 0) bins[group] = bins[group] + 1;
    }
}

__global__ void sections_v2_atomic(const char* text, std::size_t n, unsigned int* bins) {
    std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    Section mine = section_of(thread, std::size_t{gridDim.x} * blockDim.x, n);
    for (std::size_t i = mine.begin; i < mine.end; ++i) {
        int group = letter_group(text[i]);
        if (group >= 0) atomicAdd(&bins[group], 1u);
    }
}

void sections_racy(const char* text, std::size_t n, unsigned int* bins) {
    CUDA_CHECK(cudaMemsetAsync(bins, 0, kLetterBins * sizeof(unsigned int)));
    sections_v1_racy<<<blocks_for(n), kBlock>>>(text, n, bins);
    CUDA_CHECK_LAUNCH();
}

void sections(const char* text, std::size_t n, unsigned int* bins) {
    CUDA_CHECK(cudaMemsetAsync(bins, 0, kLetterBins * sizeof(unsigned int)));
    sections_v2_atomic<<<blocks_for(n), kBlock>>>(text, n, bins);
    CUDA_CHECK_LAUNCH();
}

}  // namespace histogram

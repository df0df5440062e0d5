// 06_histogram/aggregated: a histogram as fast as the memory, on any input.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests aggregated.cu
//        ../../tests/06_histogram/aggregated_test.cu -o aggregated
// Run:   ./aggregated
//
//   v8  aggregated_v8_letters: 7 groups, and no lane ever waits for another lane
//   v9  aggregated_v9_bytes: 256 values, and no lane ever waits for another lane

#include <algorithm>
#include <cstdint>

#include "06_histogram/06_histogram.hpp"
#include "kit.cuh"

namespace histogram {

namespace {

constexpr int kThreads = 512;
constexpr int kLoads = 4;                    // 16-byte loads that a thread has in flight
constexpr int kBlocksPerMultiprocessor = 3;  // 3 * 32 KB of shared memory, and room for the registers

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int kResident = 2;  // a multiprocessor of sm_75 holds only 1024 threads
#else
constexpr int kResident = kBlocksPerMultiprocessor;  // the compiler keeps the registers low enough for that
#endif

/// An array of bytes in three parts: up to 15 bytes, whole aligned vectors of 16 bytes, and up to 15 bytes. 32 bits are
/// enough for all three numbers, and cheaper than 64.
struct Parts {
    unsigned int head, vectors, tail;
};

__device__ Parts parts_of(const void* data, std::size_t n) {
    unsigned int count = static_cast<unsigned int>(n);
    unsigned int past = reinterpret_cast<std::uintptr_t>(data) % 16;
    unsigned int head = past == 0 ? 0 : min(count, 16 - past);
    return {head, (count - head) / 16, (count - head) % 16};
}

/// Per byte of the result: bits 2 to 4 are the letter's group, or all set if the byte of `word` is not a lower-case letter.
/// Every byte stays below 256, so that nothing carries into the next byte.
// [marked]
__device__ unsigned int marked(unsigned int word) {
    unsigned int low = word & 0x7f7f7f7fu;
    unsigned int from_a = low + 0x1f1f1f1fu;  // 'a' becomes 0x80: bits 2 to 4 are the group
    unsigned int past_z = low + 0x05050505u;  // bit 7 is set starting at '{'
    unsigned int other = (~from_a | past_z | word) & 0x80808080u;  // below 'a', above 'z', or above 127
    return from_a | (other - (other >> 5));                        // 0x80 - 0x04 = 0x7c: bits 2 to 6
}
// [/marked]

/// Returns eight characters as eight bytes, in some order: 1 << group, or 0 if it is not a lower-case letter.
// [one_hot]
__device__ uint2 one_hot(unsigned int a, unsigned int b) {
    // The groups of a go into the lower half of each byte, those of b into the upper half: eight selectors of 4 bits.
    unsigned int selectors = (marked(a) >> 2 & 0x07070707u) | (marked(b) << 2 & 0x70707070u);
    constexpr unsigned int low = 0x08040201u, high = 0x00402010u;  // a table of eight bytes, the last is 0
    return {__byte_perm(low, high, selectors), __byte_perm(low, high, selectors >> 16)};
}
// [/one_hot]

/// Adds three words, separately in each of the 32 bit positions.
// [add_bits]
__device__ unsigned int add_bits(unsigned int& sum, unsigned int a, unsigned int b) {
    // TODO(1): In each position, 0 to 3 bits are set. Return the upper binary digit of this number, and put the
    // lower one into `sum`. 3 lines.
    KIT_TODO(1, sum, a, b);
    return 0;
}
// [/add_bits]

/// Counts of one thread. Bit g of each byte of `ones` counts 1 for group g, bit g of `twos` counts 2, and so on.
// [counter]
struct LetterCounter {
    unsigned int ones = 0, twos = 0, fours = 0, eights = 0;
    unsigned int sixteens[kLetterBins] = {};

    /// Counts 64 characters.
    __device__ void add(const uint4 (&loaded)[kLoads]) {
        static_assert(kLoads == 4, "16 words give the sixteens");
        // TODO(2): Count sixteen words of four characters, without a branch and without a loop over the groups before the very
        // end. Call one_hot eight times and add_bits fifteen times; what is left over is worth 16. About 12 lines.
        KIT_TODO(2, loaded, one_hot, add_bits);
    }

    /// Returns how many characters of group g have been added.
    __device__ unsigned int count(int g) const {
        // TODO(3): Add up the bits of group g, one per byte of each word. A set bit's value depends on its word. About 3 lines.
        KIT_TODO(3, g);
        return 0;
    }
};
// [/counter]

}  // namespace

// v8: like v4, but no lane ever waits for another lane.
// Mapping : grid-stride over vectors of 16 characters; block 0 also takes the characters that fill no aligned vector.
// Cost    : about 4 instructions per character; 7 global atomics per block, and 7 in shared memory per warp.
// Requires: the bins are 0 when the kernel starts; blocks of kThreads threads.
// Next    : nothing for 7 bins. For 256 bins, there are not enough registers; see v9.
// [v8]
__global__ void __launch_bounds__(kThreads, kResident)
    aggregated_v8_letters(const char* text, std::size_t n, unsigned int* bins) {
    __shared__ unsigned int own_bins[kLetterBins];
    int t = threadIdx.x;
    if (t < kLetterBins) own_bins[t] = 0;
    Parts parts = parts_of(text, n);
    const uint4* vectors = reinterpret_cast<const uint4*>(text + parts.head);

    // 1. The bulk: four loads, then the counting. A missing vector counts as 16 characters that are not letters.
    LetterCounter counter;
    unsigned int threads = gridDim.x * kThreads;
    unsigned int i = blockIdx.x * kThreads + t;
    for (; i + (kLoads - 1) * threads < parts.vectors; i += kLoads * threads) {
        uint4 loaded[kLoads];
#pragma unroll
        for (int k = 0; k < kLoads; ++k) loaded[k] = vectors[i + k * threads];
        counter.add(loaded);
    }
    if (i < parts.vectors) {
        uint4 loaded[kLoads];
#pragma unroll
        for (int k = 0; k < kLoads; ++k) {
            loaded[k] = i + k * threads < parts.vectors ? vectors[i + k * threads] : uint4{0, 0, 0, 0};
        }
        counter.add(loaded);
    }
    __syncthreads();  // all bins of the block are 0 before a thread adds to them

    // 2. Count up to 15 characters at each end.
    if (blockIdx.x == 0 && t < 32) {
        std::size_t odd = t < 16 ? t : n - parts.tail + (t - 16);
        bool exists = t < 16 ? t < static_cast<int>(parts.head) : t - 16 < static_cast<int>(parts.tail);
        char c = exists ? text[odd] : ' ';
        if (c >= 'a' && c <= 'z') atomicAdd(&own_bins[(c - 'a') / 4], 1u);
    }

    // 3. Add up the lanes of each warp, the warps of each block, and the blocks of the grid.
    // TODO(4): Each lane has 7 counts. Add them to `bins`, with at most 7 atomics per warp and 7 per block. About 8 lines.
    KIT_TODO(4, bins, counter.count(0));
}
// [/v8]

namespace {

/// Counts the four bytes of a word.
// [column]
__device__ void count_word(unsigned int* own_bins, unsigned int lane, unsigned int word) {
    // TODO(5): The block has 32 counters for each of the 256 values. Choose the counters of this lane so that the lanes of
    // a warp never wait for each other, whatever their bytes are. Perform one atomic addition per byte. About 5 lines.
    KIT_TODO(5, own_bins, lane, word);
}
// [/column]

__device__ void count_vector(unsigned int* own_bins, unsigned int lane, uint4 loaded) {
    count_word(own_bins, lane, loaded.x);
    count_word(own_bins, lane, loaded.y);
    count_word(own_bins, lane, loaded.z);
    count_word(own_bins, lane, loaded.w);
}

}  // namespace

// v9: like v5, but no two lanes of a warp ever wait for each other.
// Mapping : grid-stride over vectors of 16 bytes; block 0 also takes the bytes that fill no aligned vector.
// Cost    : 1 atomic in shared memory per byte; 32 KB per block to clear and to add up.
// Requires: the bins are 0 when the kernel starts; blocks of kThreads threads.
// Next    : nothing, as long as the memory is the limit.
// [v9]
__global__ void __launch_bounds__(kThreads, kResident)
    aggregated_v9_bytes(const unsigned char* data, std::size_t n, unsigned int* bins) {
    __shared__ unsigned int own_bins[kByteBins * 32];
    int t = threadIdx.x;
    unsigned int lane = t % 32;
    Parts parts = parts_of(data, n);
    const uint4* vectors = reinterpret_cast<const uint4*>(data + parts.head);
    unsigned int threads = gridDim.x * kThreads;
    unsigned int i = blockIdx.x * kThreads + t;

    // 1. The first vector is in flight while the threads clear the counters.
    bool has_vector = i < parts.vectors;
    uint4 first = has_vector ? vectors[i] : uint4{0, 0, 0, 0};
    for (int bin = t; bin < kByteBins * 32; bin += kThreads) own_bins[bin] = 0;
    __syncthreads();  // all counters are 0 before a thread counts
    if (has_vector) count_vector(own_bins, lane, first);
    i += threads;

    // 2. Count the other vectors.
    for (; i + (kLoads - 1) * threads < parts.vectors; i += kLoads * threads) {
        uint4 loaded[kLoads];
#pragma unroll
        for (int k = 0; k < kLoads; ++k) loaded[k] = vectors[i + k * threads];
#pragma unroll
        for (int k = 0; k < kLoads; ++k) count_vector(own_bins, lane, loaded[k]);
    }
    for (; i < parts.vectors; i += threads) count_vector(own_bins, lane, vectors[i]);

    // 3. Count up to 15 bytes at each end, and add up.
    // TODO(6): Let block 0 count the parts.head bytes before the vectors and the parts.tail bytes after them. Then let one thread
    // per value add up its 32 counters, again so that no lane waits for another. Add the sums to `bins`. About 11 lines.
    KIT_TODO(6, bins, data);
}
// [/v9]

namespace {

/// Returns blocks for at least one vector per thread, at most as many as run at the same time (or `most_blocks`, if not 0).
int blocks_for(std::size_t n, int most_blocks) {
    if (most_blocks == 0) {
        int device = 0;
        CUDA_CHECK(cudaGetDevice(&device));
        CUDA_CHECK(cudaDeviceGetAttribute(&most_blocks, cudaDevAttrMultiProcessorCount, device));
        most_blocks *= kBlocksPerMultiprocessor;
    }
    std::size_t wanted = kit::ceil_div(n / 16, std::size_t{kThreads});
    return static_cast<int>(std::clamp<std::size_t>(wanted, 1, most_blocks));
}

}  // namespace

void aggregated_letters(const char* text, std::size_t n, unsigned int* bins, int most_blocks) {
    CUDA_CHECK(cudaMemsetAsync(bins, 0, kLetterBins * sizeof(unsigned int)));
    aggregated_v8_letters<<<blocks_for(n, most_blocks), kThreads>>>(text, n, bins);
    CUDA_CHECK_LAUNCH();
}

void aggregated_bytes(const unsigned char* data, std::size_t n, unsigned int* bins, int most_blocks) {
    CUDA_CHECK(cudaMemsetAsync(bins, 0, kByteBins * sizeof(unsigned int)));
    aggregated_v9_bytes<<<blocks_for(n, most_blocks), kThreads>>>(data, n, bins);
    CUDA_CHECK_LAUNCH();
}

}  // namespace histogram

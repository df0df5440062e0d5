// 16_dynamic_parallelism/quicksort: a sort by three parts, a child for one of them, and the case without one.
//
// Build: nvcc -std=c++17 -rdc=true -I../../common -I../../tests quicksort.cu
//        ../../tests/16_dynamic_parallelism/quicksort_test.cu -o quicksort
// Run:   ./quicksort
//
//   v1  quicksort_v1: one block per range, and a child for one part of it

#include <climits>

#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"
#include "kit.cuh"

namespace nested {

/// Sorts n <= kCutOff values of global memory in shared memory, with a bitonic network. All threads must call it.
__device__ void sort_small(int* data, int n) {
    static_assert((kCutOff & (kCutOff - 1)) == 0, "the network is for a power of two");
    __shared__ int tile[kCutOff];
    int size = 1;
    while (size < n) size *= 2;
    for (int i = threadIdx.x; i < size; i += kSortBlock) tile[i] = i < n ? data[i] : INT_MAX;
    for (int run = 2; run <= size; run *= 2) {
        for (int step = run / 2; step > 0; step /= 2) {
            __syncthreads();  // this step reads values that other threads wrote in the previous step
            for (int i = threadIdx.x; i < size / 2; i += kSortBlock) {
                int low = 2 * i - (i & (step - 1));
                int high = low + step;
                bool ascending = (low & run) == 0;
                if ((tile[low] > tile[high]) == ascending) {
                    int swapped = tile[low];
                    tile[low] = tile[high];
                    tile[high] = swapped;
                }
            }
        }
    }
    __syncthreads();  // all threads finish the last step before any thread copies the tile
    for (int i = threadIdx.x; i < n; i += kSortBlock) data[i] = tile[i];
    __syncthreads();  // all threads read the tile before the next call overwrites it
}

/// Two sums over the threads before this one, and over all threads. All threads must call offsets_of().
struct Offsets {
    int less, greater;          ///< sums over the threads before this one
    int all_less, all_greater;  ///< sums over all threads
};
__device__ Offsets offsets_of(int less, int greater) {
    __shared__ int sums[2][kSortBlock];
    int t = threadIdx.x;
    sums[0][t] = less;
    sums[1][t] = greater;
    __syncthreads();  // all threads store their counts before others read them
    for (int distance = 1; distance < kSortBlock; distance *= 2) {
        int a = t >= distance ? sums[0][t - distance] : 0;
        int b = t >= distance ? sums[1][t - distance] : 0;
        __syncthreads();  // all threads read the sums before this step overwrites them
        sums[0][t] += a;
        sums[1][t] += b;
        __syncthreads();  // the sums of this step are written before the next step reads them
    }
    Offsets offsets = {sums[0][t] - less, sums[1][t] - greater, sums[0][kSortBlock - 1],
                       sums[1][kSortBlock - 1]};
    __syncthreads();  // all threads read the sums before the next call overwrites them
    return offsets;
}

/// Returns the median of nine values, spread over the range. All threads get the same one.
__device__ int choose_pivot(const int* data, int n) {
    int sample[9];
    for (int k = 0; k < 9; ++k) {
        int value = data[static_cast<long long>(2 * k + 1) * n / 18];
        int i = k;
        for (; i > 0 && sample[i - 1] > value; --i) sample[i] = sample[i - 1];
        sample[i] = value;
    }
    return sample[4];
}

struct Parts {
    int less, greater;  ///< number of values in each part; the values between them equal the pivot
};

/// Partitions the range into less, equal and greater. All threads of the block must call it.
// [three_parts]
__device__ Parts part_three_ways(int* data, int* scratch, int n) {
    int pivot = choose_pivot(data, n);
    // TODO(1): Write the range to scratch in its new order: values less than the pivot first, greater values last. A thread that
    // knows how many values of each kind the threads before it have (offsets_of) can compute its places without atomics. Set
    // `parts`. About 16 lines.
    Parts parts = {0, 0};
    KIT_TODO(1, scratch, pivot);
    for (int i = threadIdx.x; i < n; i += kSortBlock) scratch[i] = data[i];

    __syncthreads();  // all threads read data and write scratch before others copy it back
    for (int i = threadIdx.x; i < n; i += kSortBlock) data[i] = scratch[i];
    __syncthreads();  // all threads write their values before others read the range
    return parts;
}
// [/three_parts]

struct Range {
    int first, count;
};

// v1: a block sorts one range. It launches a child for one of the two outer parts, and continues with the other.
// Mapping : one block of kSortBlock threads per range.
// Cost    : n reads and writes, a few times, per level; at most n / kCutOff launches at a depth of log2(n / kCutOff).
// Requires: scratch is as large as data; each child works on a part that no other block accesses.
// Next    : the first ranges are long, and one block is slow on them; see the lecture.
// [v1]
__global__ void quicksort_v1(int* data, int* scratch, int n) {
    __shared__ Range kept[kStack];  // parts for later; the part that was added last is taken first
    __shared__ int kept_count;
    __shared__ bool refused;
    if (threadIdx.x == 0) kept_count = 0;
    Range range = {0, n};
    for (;;) {
        while (range.count > kCutOff) {
            int* here = data + range.first;
            Parts parts = part_three_ways(here, scratch + range.first, range.count);
            Range less = {range.first, parts.less};
            Range greater = {range.first + range.count - parts.greater, parts.greater};
            // TODO(2): Launch a child, fire and forget, for one of the two parts; but if that part has at most kCutOff values,
            // use sort_small() here instead. Continue with the other part as `range`. If the launch is refused, sort both here,
            // one of them later, from `kept`, which has room for kStack parts. Which part must wait? About 15 lines.
            KIT_TODO(2, less, greater, kept, kept_count, refused);
            range = {range.first, 0};
        }
        sort_small(data + range.first, range.count);
        __syncthreads();  // thread 0 writes the kept ranges before all threads read it
        if (kept_count == 0) return;
        range = kept[kept_count - 1];
        __syncthreads();  // all threads read the range before thread 0 removes it
        if (threadIdx.x == 0) --kept_count;
    }
}
// [/v1]

void quicksort(int* data, int n, int* scratch) {
    if (n == 0) return;
    quicksort_v1<<<1, kSortBlock>>>(data, scratch, n);
    CUDA_CHECK_LAUNCH();
}

}  // namespace nested

// 08_scan/compact: the values that satisfy a predicate, in order.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests compact.cu
//        ../../tests/08_scan/compact_test.cu -o compact
// Run:   ./compact
//
//   v7  compact_v7_count, compact_v7_scan, compact_v7_place: the place of an element is the number of kept
//       elements before it

#include "08_scan/08_scan.hpp"
#include "kit.cuh"

namespace scan {

namespace {

constexpr unsigned int all_lanes = 0xffffffffu;
constexpr int kRounds = kBlockTile / kBlock;  // in each round, a block takes kBlock neighbouring elements
constexpr int kWarps = kBlock / 32;
constexpr int kScanBlock = 1024;
constexpr int kCountsPerThread = 4;

/// Returns the inclusive scan of the values of a warp's 32 lanes. All lanes call it.
__device__ int warp_scan(int value) {
    int lane = threadIdx.x % 32;
    for (int step = 0; step < 5; ++step) {
        int lower = __shfl_up_sync(all_lanes, value, 1 << step);
        value += lane >> step > 0 ? lower : 0;
    }
    return value;
}

}  // namespace

// v7: three launches: count the kept elements of each tile; scan the counts; write the kept elements to their places.
// Mapping : one block per kBlockTile elements, which takes kBlock neighbours at a time; the middle launch is one block.
// Cost    : reads every element twice, and writes the kept elements once.
// Requires: scratch memory for compact_scratch(n) counts.
// Next    : with the look-back of v8 instead of the middle launch, reading every element once is enough.
// [count]
template <class Predicate>
__global__ void compact_v7_count(const int* in, int n, Predicate keep, int* counts) {
    int kept = 0;
    // TODO(1): In each of the kRounds rounds, let the whole block count how many of its elements are kept.
    // __syncthreads_count(predicate) is a barrier that returns this number to every thread. About 4 lines.
    KIT_TODO(1, in, n, keep, kept);
    if (threadIdx.x == 0) counts[blockIdx.x] = kept;
}
// [/count]

/// Replaces the counts by their exclusive scan and writes their sum. Launched with one block.
// [scan_counts]
__global__ void compact_v7_scan(int* counts, int tiles, int* count) {
    __shared__ int warp_ends[32];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int carry = 0;  // elements kept in all earlier rounds; the same in all threads

    for (int base = 0; base < tiles; base += kScanBlock * kCountsPerThread) {
        int first = base + threadIdx.x * kCountsPerThread;
        int values[kCountsPerThread];
        int thread_sum = 0;
#pragma unroll
        for (int k = 0; k < kCountsPerThread; ++k) {
            values[k] = first + k < tiles ? counts[first + k] : 0;
            thread_sum += values[k];
        }
        int inclusive = warp_scan(thread_sum);
        if (lane == 31) warp_ends[warp] = inclusive;
        __syncthreads();  // all warps read the sums that all warps wrote
        int ends = warp_scan(warp_ends[lane]);
        int warps_before = __shfl_sync(all_lanes, ends, warp == 0 ? 0 : warp - 1);
        int total = __shfl_sync(all_lanes, ends, 31);
        __syncthreads();  // all warps have read warp_ends before the next round writes it

        // TODO(2): Compute how many elements are kept before this thread's first count. Replace the thread's counts by such
        // numbers, one after another, and carry the total over to the next round. About 7 lines.
        KIT_TODO(2, warps_before, total);
    }
    if (threadIdx.x == 0) *count = carry;
}
// [/scan_counts]

// [place]
template <class Predicate>
__global__ void compact_v7_place(const int* in, int n, Predicate keep, int* out, const int* offsets) {
    static_assert(kRounds * kWarps == 32, "one warp scans one value per warp and round");
    __shared__ int kept_by[kRounds * kWarps];  // in the order of the elements: round by round, warp by warp
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int values[kRounds];
    unsigned int votes[kRounds];

    // 1. Find the elements that are kept.
    // TODO(3): In each round, load this thread's element (if there is one), get the votes of the warp with __ballot_sync,
    // and let one lane write the number of votes (__popc) to kept_by. About 7 lines.
    for (int round = 0; round < kRounds; ++round) values[round] = votes[round] = 0;
    KIT_TODO(3, in, n, keep, lane, warp, kept_by);

    // 2. Compute how many elements of this tile are kept before each warp and round.
    __syncthreads();  // the first warp reads the counts that all warps wrote
    if (warp == 0) {
        int kept = kept_by[lane];
        kept_by[lane] = warp_scan(kept) - kept;
    }
    __syncthreads();  // all warps read the scan that the first warp wrote

    // 3. Write the elements to their places.
    // [write]
    // TODO(4): In each round, if this lane's vote is set, write its value after all elements that are kept before it: in
    // earlier tiles, in this tile before this warp and round, and in the lower lanes. About 7 lines.
    KIT_TODO(4, values, votes, out, offsets);
    // [/write]
}
// [/place]

void scan_counts(int* counts, int tiles, int* count) {
    compact_v7_scan<<<1, kScanBlock>>>(counts, tiles, count);
    CUDA_CHECK_LAUNCH();
}

template <class Predicate>
void compact(const int* in, int n, Predicate keep, int* out, int* count, int* scratch) {
    int tiles = compact_scratch(n);
    if (tiles > 0) {
        compact_v7_count<<<tiles, kBlock>>>(in, n, keep, scratch);
        CUDA_CHECK_LAUNCH();
    }
    scan_counts(scratch, tiles, count);
    if (tiles > 0) {
        compact_v7_place<<<tiles, kBlock>>>(in, n, keep, out, scratch);
        CUDA_CHECK_LAUNCH();
    }
}

template void compact(const int*, int, Positive, int*, int*, int*);
template void compact(const int*, int, MultipleOf, int*, int*, int*);

}  // namespace scan

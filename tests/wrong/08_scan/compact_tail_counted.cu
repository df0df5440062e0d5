// wrong: Elements behind the end are asked, too.
// diagnosis.cpu: out of bounds
// backends: cpu (on a GPU what is read behind the end decides)
// sanitizer.all: what lies behind the input is the grader's guard zone, which belongs to the same allocation

#include "08_scan/08_scan.hpp"
#include "kit.cuh"

namespace scan {

namespace {

constexpr unsigned int all_lanes = 0xffffffffu;
constexpr int kRounds = kBlockTile / kBlock;  // in each round a block looks at kBlock neighbours
constexpr int kWarps = kBlock / 32;
constexpr int kScanBlock = 1024;
constexpr int kCountsPerThread = 4;

/// The inclusive scan of the values of a warp's 32 lanes. All lanes take part.
__device__ int warp_scan(int value) {
    int lane = threadIdx.x % 32;
    for (int offset = 1; offset < 32; offset *= 2) {
        int before = __shfl_up_sync(all_lanes, value, offset);
        if (lane >= offset) value += before;
    }
    return value;
}

}  // namespace

template <class Predicate>
__global__ void compact_v7_count(const int* in, int n, Predicate keep, int* counts) {
    int kept = 0;
    for (int round = 0; round < kRounds; ++round) {
        int i = blockIdx.x * kBlockTile + round * kBlock + threadIdx.x;
        kept += __syncthreads_count(keep(in[i]));
    }
    if (threadIdx.x == 0) counts[blockIdx.x] = kept;
}

/// One block turns the counts into their exclusive scan, and writes their sum.
__global__ void compact_v7_scan(int* counts, int tiles, int* count) {
    __shared__ int warp_ends[32];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int carry = 0;  // how many are kept in all rounds before this one; the same in all threads

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
        __syncthreads();  // all warps read what all warps wrote
        int ends = warp_scan(warp_ends[lane]);
        int warps_before = __shfl_sync(all_lanes, ends, warp == 0 ? 0 : warp - 1);
        int total = __shfl_sync(all_lanes, ends, 31);
        __syncthreads();  // all have read: the next round may write

        int before = carry + (warp == 0 ? 0 : warps_before) + inclusive - thread_sum;
#pragma unroll
        for (int k = 0; k < kCountsPerThread; ++k) {
            if (first + k < tiles) counts[first + k] = before;
            before += values[k];
        }
        carry += total;
    }
    if (threadIdx.x == 0) *count = carry;
}

template <class Predicate>
__global__ void compact_v7_place(const int* in, int n, Predicate keep, int* out, const int* offsets) {
    static_assert(kRounds * kWarps == 32, "one warp scans one value per warp and round");
    __shared__ int kept_by[kRounds * kWarps];  // in the order of the elements: round by round, warp by warp
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int values[kRounds];
    unsigned int votes[kRounds];

    // 1. Who keeps what.
#pragma unroll
    for (int round = 0; round < kRounds; ++round) {
        int i = blockIdx.x * kBlockTile + round * kBlock + threadIdx.x;
        values[round] = i < n ? in[i] : 0;
        votes[round] = __ballot_sync(all_lanes, i < n && keep(values[round]));
        if (lane == 0) kept_by[round * kWarps + warp] = __popc(votes[round]);
    }

    // 2. How many are kept in this tile before each warp and round.
    __syncthreads();  // the first warp reads what all warps wrote
    if (warp == 0) {
        int kept = kept_by[lane];
        kept_by[lane] = warp_scan(kept) - kept;
    }
    __syncthreads();  // all warps read what the first one wrote

    // 3. To their places.
    unsigned int lanes_below = (1u << lane) - 1;
#pragma unroll
    for (int round = 0; round < kRounds; ++round) {
        if ((votes[round] >> lane & 1) == 0) continue;
        int before = kept_by[round * kWarps + warp] + __popc(votes[round] & lanes_below);
        out[offsets[blockIdx.x] + before] = values[round];
    }
}

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

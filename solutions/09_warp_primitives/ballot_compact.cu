// 09_warp_primitives/ballot_compact: a compaction with one vote per 32 values.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests ballot_compact.cu
//        ../../tests/09_warp_primitives/ballot_compact_test.cu -o ballot_compact
// Run:   ./ballot_compact
//
//   v4  ballot_compact_v4: one warp per row, one vote per 32 values

#include "09_warp_primitives/09_warp_primitives.hpp"
#include "kit.cuh"

namespace warp_primitives {

[[maybe_unused]] constexpr unsigned int all_lanes = 0xffffffffu;

/// Returns how many lanes below `lane` have voted yes.
// [votes_below]
__device__ int votes_below(unsigned int votes, int lane) {
    // TODO(1): Count the yes votes below `lane`. Bit l of `votes` is the vote of lane l; __popc counts set bits. 1 line.
    // BEGIN SOLUTION 1
    return __popc(votes & ((1u << lane) - 1));
    // STARTER KIT_TODO(1, votes, lane);
    // STARTER return 0;
    // END SOLUTION 1
}
// [/votes_below]

// v4: each warp compacts its row, 32 values at a time.
// Mapping : one warp per row; in each round a lane has one value.
// Cost    : 1 load per value, 1 vote per 32 values; no shared memory, no barrier.
// Requires: whole warps in a block; columns may be ragged.
// Next    : each row has its own place in the output; without such places, a counter assigns them, see v5.
// [kernel]
__global__ void ballot_compact_v4(const int* in, int rows, int columns, int* out, int* counts) {
    int row = blockIdx.x * (kBlock / kLanes) + threadIdx.x / kLanes;
    int lane = threadIdx.x % kLanes;
    if (row >= rows) return;  // all lanes of a warp have the same row
    const int* values = in + row * columns;
    int* kept = out + row * columns;
    int before = 0;  // number of values kept in earlier rounds; the same in all lanes

    // TODO(2): Process the row in rounds of 32 values, and let all lanes vote on whether their value is positive. In the last
    // round, some lanes may have no value. How do they vote? Write each kept value after all values that are kept in earlier
    // rounds or in lower lanes. About 7 lines.
    // BEGIN SOLUTION 2
    for (int first = 0; first < columns; first += kLanes) {
        int column = first + lane;
        int value = column < columns ? values[column] : 0;
        unsigned int votes = __ballot_sync(all_lanes, value > 0);
        if (value > 0) kept[before + votes_below(votes, lane)] = value;
        before += __popc(votes);
    }
    // STARTER KIT_TODO(2, values, columns, kept, lane, before);
    // END SOLUTION 2

    if (lane == 0) counts[row] = before;
}
// [/kernel]

void ballot_compact(const int* in, int rows, int columns, int* out, int* counts) {
    if (rows == 0) return;
    ballot_compact_v4<<<kit::ceil_div(rows, kBlock / kLanes), kBlock>>>(in, rows, columns, out, counts);
    CUDA_CHECK_LAUNCH();
}

}  // namespace warp_primitives

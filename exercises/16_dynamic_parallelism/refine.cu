// 16_dynamic_parallelism/refine: level after level, launched by the block that finishes last.
//
// Build: nvcc -std=c++17 -rdc=true -I../../common -I../../tests refine.cu
//        ../../tests/16_dynamic_parallelism/refine_test.cu -o refine
// Run:   ./refine
//
//   v1  refine_v1: one thread per piece; the last block to finish launches the next level into the tail

#include <cstdlib>

#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"
#include "kit.cuh"

namespace nested {

/// Returns whether the piece must be cut. Stores the index of the cut in `middle`.
__device__ bool must_cut(const int* heights, int limit, Piece piece, int& middle) {
    middle = piece.first + (piece.last - piece.first) / 2;
    if (middle == piece.first) return false;
    long long bend = 0LL + heights[piece.first] - 2LL * heights[middle] + heights[piece.last];
    return llabs(bend) > limit;
}

/// Puts the halves of a piece into the next level. Returns false if there is no room.
// [push]
__device__ bool push_halves(Piece piece, int middle, Piece* next, Refinement work) {
    // TODO(1): Take two places with one atomicAdd on work.state->next_count. If both are below the capacity, write the
    // halves there and return true. About 5 lines.
    KIT_TODO(1, piece, middle, next, work);
    return false;
}
// [/push]

__device__ void push_done(Piece piece, Refinement work) {
    int place = atomicAdd(&work.state->done_count, 1);
    if (place < work.capacity)
        work.done[place] = piece;
    else
        atomicExch(&work.state->overflow, 1);
}

// v1: one thread per piece. The last block to finish launches the next level, because only then its size is known.
// Mapping : one thread per piece of the level.
// Cost    : per level, one launch and one ticket per block.
// Requires: state->next_count and state->ticket are 0 when a level starts.
// Next    : levels of a few pieces cost one launch each: stop refining early, or process several levels in one kernel.
// [v1]
__global__ void refine_v1(const int* heights, int limit, Refinement work, Piece* now, int count,
                          Piece* next) {
    int i = blockIdx.x * kBlock + threadIdx.x;
    if (i < count) {
        Piece piece = now[i];
        int middle;
        bool cut = must_cut(heights, limit, piece, middle);
        if (cut && !push_halves(piece, middle, next, work)) {
            atomicExch(&work.state->overflow, 1);
            cut = false;
        }
        if (!cut) push_done(piece, work);
    }

    // TODO(2): After all threads of the block are done, let thread 0 draw a ticket: an atomicAdd on work.state->ticket, with a
    // __threadfence() before and after it. All other threads return, and so does thread 0 of every block except the last.
    // Make sure that *every* thread of the block reaches the barrier. About 6 lines.
    KIT_TODO(2, work);

    // If the next level had no room, next_count still grew beyond the capacity.
    int pieces = min(work.state->next_count, work.capacity / 2 * 2);
    work.state->next_count = 0;
    work.state->ticket = 0;
    ++work.state->levels;

    // TODO(3): If there are pieces, launch refine_v1 for them into the tail of this kernel, with as many blocks as they
    // need. Swap the two lists. If the launch is refused, call __trap(). About 4 lines.
    KIT_TODO(3, pieces, now);
}

__global__ void refine_v1_begin(const int* heights, int n, int limit, Refinement work) {
    *work.state = {0, 0, 0u, 0, 0};
    work.now[0] = {0, n - 1};
    refine_v1<<<1, kBlock>>>(heights, limit, work, work.now, 1, work.next);
    if (cudaGetLastError() != cudaSuccess) __trap();
}
// [/v1]

void refine(const int* heights, int n, int limit, Refinement work) {
    refine_v1_begin<<<1, 1>>>(heights, n, limit, work);
    CUDA_CHECK_LAUNCH();
}

}  // namespace nested

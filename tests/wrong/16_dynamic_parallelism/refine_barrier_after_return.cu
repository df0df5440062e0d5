// wrong: Threads without a piece return before the barrier.
// diagnosis: __syncthreads()
// diagnosis: Task 2, "the last block"
// backends: cpu (on a GPU threads that have left count as arrived)
// sanitizer.all: compute-sanitizer does not follow kernels that kernels launch

#include <cstdlib>

#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"
#include "kit.cuh"

namespace nested {

__device__ bool must_cut(const int* heights, int limit, Piece piece, int& middle) {
    middle = piece.first + (piece.last - piece.first) / 2;
    if (middle == piece.first) return false;
    long long bend = 0LL + heights[piece.first] - 2LL * heights[middle] + heights[piece.last];
    return llabs(bend) > limit;
}

__device__ bool push_halves(Piece piece, int middle, Piece* next, Refinement work) {
    int place = atomicAdd(&work.state->next_count, 2);
    if (place + 2 > work.capacity) return false;
    next[place] = {piece.first, middle};
    next[place + 1] = {middle, piece.last};
    return true;
}

__device__ void push_done(Piece piece, Refinement work) {
    int place = atomicAdd(&work.state->done_count, 1);
    if (place < work.capacity)
        work.done[place] = piece;
    else
        atomicExch(&work.state->overflow, 1);
}

__global__ void refine_v1(const int* heights, int limit, Refinement work, Piece* now, int count,
                          Piece* next) {
    int i = blockIdx.x * kBlock + threadIdx.x;
    if (i >= count) return;
    {
        Piece piece = now[i];
        int middle;
        bool cut = must_cut(heights, limit, piece, middle);
        if (cut && !push_halves(piece, middle, next, work)) {
            atomicExch(&work.state->overflow, 1);
            cut = false;
        }
        if (!cut) push_done(piece, work);
    }

    __syncthreads();  // the pieces of all threads are in the lists
    if (threadIdx.x != 0) return;
    __threadfence();  // release: who sees the ticket sees the pieces
    unsigned int blocks_before = atomicAdd(&work.state->ticket, 1u);
    __threadfence();  // acquire: the count below is not older than the tickets of the other blocks
    if (blocks_before != gridDim.x - 1) return;

    // Where the next level found no room, next_count went on counting.
    int pieces = min(work.state->next_count, work.capacity / 2 * 2);
    work.state->next_count = 0;
    work.state->ticket = 0;
    ++work.state->levels;

    if (pieces == 0) return;
    refine_v1<<<kit::ceil_div(pieces, kBlock), kBlock, 0, cudaStreamTailLaunch>>>(heights, limit, work, next,
                                                                                  pieces, now);
    if (cudaGetLastError() != cudaSuccess) __trap();
}

__global__ void refine_v1_begin(const int* heights, int n, int limit, Refinement work) {
    *work.state = {0, 0, 0u, 0, 0};
    work.now[0] = {0, n - 1};
    refine_v1<<<1, kBlock>>>(heights, limit, work, work.now, 1, work.next);
    if (cudaGetLastError() != cudaSuccess) __trap();
}

void refine(const int* heights, int n, int limit, Refinement work) {
    refine_v1_begin<<<1, 1>>>(heights, n, limit, work);
    CUDA_CHECK_LAUNCH();
}

}  // namespace nested

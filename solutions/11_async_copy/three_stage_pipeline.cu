// 11_async_copy/three_stage_pipeline: two tiles in flight, wide copies, and one barrier per tile.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests three_stage_pipeline.cu
//        ../../tests/11_async_copy/three_stage_pipeline_test.cu -o three_stage_pipeline
// Run:   ./three_stage_pipeline
//
//   v7  three_stage_pipeline_v7: like v3, but with three stages, 16-byte copies, and groups of each thread's own copies

#include <cuda_pipeline.h>

#include "11_async_copy/11_async_copy.hpp"
#include "kit.cuh"

namespace staging {

namespace {

[[maybe_unused]] constexpr int kStages = 3;
static_assert(4 * kBlock == kTile, "each thread copies 16 bytes of a tile");

/// Returns the number of elements of a tile; 0 if there is no such tile.
[[maybe_unused]] __device__ int elements_of(std::size_t tile, std::size_t n) {
    if (tile * kTile >= n) return 0;
    std::size_t left = n - tile * kTile;
    return left < kTile ? static_cast<int>(left) : kTile;
}

[[maybe_unused]] __device__ void sum_windows(const unsigned int* ring, int count, unsigned int* out,
                                             int window) {
    for (int i = threadIdx.x; i < count; i += kBlock) {
        unsigned int sum = 0;
        for (int k = 0, place = i; k < window; ++k) {
            sum += ring[place];
            if (++place == count) place = 0;
        }
        out[i] = sum;
    }
}

}  // namespace

/// Starts to copy this thread's part of a tile, which are four neighbours, and closes one group. There may be no such tile.
// [begin]
__device__ void begin_tile(unsigned int* stage, const unsigned int* in, std::size_t n, std::size_t tile) {
    int count = elements_of(tile, n);
    int own = 4 * threadIdx.x;
    // TODO(1): Copy the four elements that begin at `own` with __pipeline_memcpy_async(to, from, bytes), in as few copies as the
    // end of the tile allows. Each copy has 4, 8 or 16 bytes. Then call __pipeline_commit(). When must you call it? About 8 lines.
    // BEGIN SOLUTION 1
    unsigned int* to = stage + own;
    const unsigned int* from = in + tile * kTile + own;
    if (own + 4 <= count) {
        __pipeline_memcpy_async(to, from, 16);
    } else {
        for (int i = 0; own + i < count; ++i) __pipeline_memcpy_async(to + i, from + i, 4);
    }
    __pipeline_commit();  // an empty group keeps the number of later groups the same in every round
    // STARTER KIT_TODO(1, stage, in, tile, count, own);
    // END SOLUTION 1
}
// [/begin]

// v7: like v3, but two tiles are in flight while the block sums a third one.
// Mapping : block b has the tiles b, b + gridDim.x, ...; the tile of round r is in stage r % 3.
// Cost    : one barrier per tile, and no state of a pipeline in shared memory.
// Requires: in is aligned to 16 bytes; n may be ragged; a block may have no tile at all.
// [v7]
__global__ void three_stage_pipeline_v7(const unsigned int* in, std::size_t n, unsigned int* out,
                                        int window) {
    __shared__ alignas(16) unsigned int stages[kStages][kTile];
    std::size_t tiles = kit::ceil_div(n, std::size_t{kTile});
    std::size_t step = gridDim.x;

    // TODO(2): Begin the tiles of the rounds 0 and 1. 2 lines.
    // BEGIN SOLUTION 2
    begin_tile(stages[0], in, n, blockIdx.x);
    begin_tile(stages[1], in, n, blockIdx.x + step);
    // STARTER KIT_TODO(2, in, n, step, stages, begin_tile);
    // END SOLUTION 2

    int round = 0;
    for (std::size_t tile = blockIdx.x; tile < tiles; tile += step, ++round) {
        // TODO(3): Four steps: wait for the tile of this round with __pipeline_wait_prior(N), begin the tile of round + 2, sum
        // the windows of this round, and meet at one barrier. In which order are two tiles in flight during the sums, and no
        // thread overwrites a stage that another thread still reads? 4 lines.
        // BEGIN SOLUTION 3
        __pipeline_wait_prior(1);  // only the group of the next round may still be in flight
        __syncthreads();  // the parts of all threads have arrived, and all threads have read the tile of the previous round
        begin_tile(stages[(round + 2) % kStages], in, n, tile + 2 * step);
        sum_windows(stages[round % kStages], elements_of(tile, n), out + tile * kTile, window);
        // STARTER KIT_TODO(3, round, out, window, elements_of);
        // END SOLUTION 3
    }
}
// [/v7]

void three_stage_pipeline(const unsigned int* in, std::size_t n, unsigned int* out, int window, int blocks) {
    if (n == 0) return;
    three_stage_pipeline_v7<<<blocks, kBlock>>>(in, n, out, window);
    CUDA_CHECK_LAUNCH();
}

}  // namespace staging

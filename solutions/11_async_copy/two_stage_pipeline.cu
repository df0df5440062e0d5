// 11_async_copy/two_stage_pipeline: a copy of the next tile during the sum of this one.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests two_stage_pipeline.cu
//        ../../tests/11_async_copy/two_stage_pipeline_test.cu -o two_stage_pipeline
// Run:   ./two_stage_pipeline
//
//   v3  two_stage_pipeline_v3: like v2, but a block has many tiles, and two stages to hold them

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "11_async_copy/11_async_copy.hpp"
#include "kit.cuh"

namespace cg = cooperative_groups;

namespace staging {

namespace {

constexpr int kStages = 2;
using Pipeline = cuda::pipeline<cuda::thread_scope_block>;
using PipelineState = cuda::pipeline_shared_state<cuda::thread_scope_block, kStages>;

[[maybe_unused]] __device__ int elements_of(std::size_t tile, std::size_t n) {
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

/// Starts to copy a tile into a stage, as soon as no thread of the block reads that stage any longer.
// [begin]
__device__ void begin_tile(const cg::thread_block& block, Pipeline& pipe, unsigned int* stage,
                           const unsigned int* in, std::size_t n, std::size_t tile) {
    // TODO(1): Acquire the stage, copy the elements of the tile into it with cuda::memcpy_async(block, to, from, size,
    // pipe), and commit. If the size is a multiple of 16 bytes, promise it, so that each copy has 16 bytes. About 8 lines.
    // BEGIN SOLUTION 1
    std::size_t bytes = elements_of(tile, n) * sizeof(unsigned int);
    pipe.producer_acquire();  // all threads have released the stage, so none still reads its old tile
    if (bytes % 16 == 0) {
        cuda::memcpy_async(block, stage, in + tile * kTile, cuda::aligned_size_t<16>(bytes), pipe);
    } else {
        cuda::memcpy_async(block, stage, in + tile * kTile, bytes, pipe);
    }
    pipe.producer_commit();
    // STARTER KIT_TODO(1, block, pipe, stage, in, n, tile);
    // END SOLUTION 1
}
// [/begin]

// v3: like v2, but tile after tile, in two stages.
// Mapping : block b has the tiles b, b + gridDim.x, ...; the tile of round r is in stage r % 2.
// Cost    : as v2, except that a tile whose size is not a multiple of 16 bytes is copied in pieces of 4.
// Requires: n may be ragged; a block may have no tile at all.
// Next    : three or four stages; see the lecture's demo.
// [v3]
__global__ void two_stage_pipeline_v3(const unsigned int* in, std::size_t n, unsigned int* out, int window) {
    __shared__ alignas(16) unsigned int stages[kStages][kTile];
    __shared__ alignas(PipelineState) unsigned char state[sizeof(PipelineState)];
    cg::thread_block block = cg::this_thread_block();
    Pipeline pipe = cuda::make_pipeline(block, reinterpret_cast<PipelineState*>(state));
    std::size_t tiles = kit::ceil_div(n, std::size_t{kTile});
    std::size_t step = gridDim.x;

    std::size_t begun = blockIdx.x;  // the next tile to copy
    int rounds_begun = 0;
    int round = 0;
    for (std::size_t tile = blockIdx.x; tile < tiles; tile += step, ++round) {
        // TODO(2): Start copies until kStages tiles are in flight or in use, or no tile is left. `begun` is the next
        // tile to copy; put it into stage rounds_begun % kStages. 3 lines.
        // BEGIN SOLUTION 2
        for (; begun < tiles && rounds_begun < round + kStages; begun += step, ++rounds_begun) {
            begin_tile(block, pipe, stages[rounds_begun % kStages], in, n, begun);
        }
        // STARTER KIT_TODO(2, tiles, begun, rounds_begun, in, n, pipe, stages);
        // END SOLUTION 2

        // TODO(3): Wait for the stage of this round, sum its windows, and release the stage. 3 lines.
        // BEGIN SOLUTION 3
        pipe.consumer_wait();  // waits only for the oldest stage; the next one stays in flight
        sum_windows(stages[round % kStages], elements_of(tile, n), out + tile * kTile, window);
        pipe.consumer_release();  // this thread has finished reading the stage
        // STARTER KIT_TODO(3, round, out, window);
        // END SOLUTION 3
    }
}
// [/v3]

void two_stage_pipeline(const unsigned int* in, std::size_t n, unsigned int* out, int window, int blocks) {
    if (n == 0) return;
    two_stage_pipeline_v3<<<blocks, kBlock>>>(in, n, out, window);
    CUDA_CHECK_LAUNCH();
}

}  // namespace staging

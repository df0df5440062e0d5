// 13_streams/dependencies: events between a producer and a consumer.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests dependencies.cu
//        ../../tests/13_streams/dependencies_test.cu -o dependencies
// Run:   ./dependencies
//
//   v3  in_a_row: produce, consume, produce, consume, in one stream (given)
//   v4  run_rounds: like v3, but one slot is filled while the other is read

#include "13_streams/13_streams.hpp"
#include "grader/count_calls.hpp"  // the grader counts the waits in this file
#include "kit.cuh"

namespace streams {

__global__ void produce(const unsigned int* seed, unsigned int* slot, int n, int round) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) slot[i] = (seed[i] ^ (2654435761u * round)) * 31 + seed[n - 1 - i];
}

__global__ void consume(const unsigned int* slot, unsigned int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 3 * out[i] + slot[n - 1 - i];
}

// v3: one stream, one slot.
// Cost    : m rounds take 2m steps, because no two kernels overlap.
// Next    : the next round could be produced while this round is consumed; see v4.
// [in_a_row]
void in_a_row(const Exchange& exchange, int rounds, cudaStream_t stream) {
    int blocks = kit::ceil_div(exchange.n, kBlock);
    for (int round = 0; round < rounds; ++round) {
        produce<<<blocks, kBlock, 0, stream>>>(exchange.seed, exchange.slot[0], exchange.n, round);
        consume<<<blocks, kBlock, 0, stream>>>(exchange.slot[0], exchange.out, exchange.n);
    }
    CUDA_CHECK_LAUNCH();
}
// [/in_a_row]

// v4: like v3, but in two streams, with two slots.
// Cost    : m rounds take m + 1 steps.
// Requires: a slot is read after it has been filled, and filled again after it has been read.
// Next    : repeat the same work with one launch each time; see topic 14.
// [run_rounds]
void run_rounds(const Exchange& exchange, int rounds, const Stages& stages, cudaStream_t caller) {
    int blocks = kit::ceil_div(exchange.n, kBlock);

    // TODO(1): Let both streams wait for the work that the caller has queued so far. 3 lines.
    // BEGIN SOLUTION 1
    CUDA_CHECK(cudaEventRecord(stages.begin, caller));
    CUDA_CHECK(cudaStreamWaitEvent(stages.producer, stages.begin, 0));
    CUDA_CHECK(cudaStreamWaitEvent(stages.consumer, stages.begin, 0));
    // STARTER KIT_TODO(1, stages, caller);
    // END SOLUTION 1

    for (int round = 0; round < rounds; ++round) {
        int slot = round % 2;

        // TODO(2): Fill the slot in one stream, but only after the consumer has read its values of two rounds
        // ago. Then record that it is full. About 4 lines.
        // BEGIN SOLUTION 2
        if (round >= 2) CUDA_CHECK(cudaStreamWaitEvent(stages.producer, stages.emptied[slot], 0));
        produce<<<blocks, kBlock, 0, stages.producer>>>(exchange.seed, exchange.slot[slot], exchange.n,
                                                        round);
        CUDA_CHECK(cudaEventRecord(stages.filled[slot], stages.producer));
        // STARTER KIT_TODO(2, exchange, stages, blocks, slot);
        // END SOLUTION 2

        // TODO(3): Read the slot in the other stream after it is full. Then record that it has been read. 3 lines.
        // BEGIN SOLUTION 3
        CUDA_CHECK(cudaStreamWaitEvent(stages.consumer, stages.filled[slot], 0));
        consume<<<blocks, kBlock, 0, stages.consumer>>>(exchange.slot[slot], exchange.out, exchange.n);
        CUDA_CHECK(cudaEventRecord(stages.emptied[slot], stages.consumer));
        // STARTER KIT_TODO(3, exchange, stages, blocks, slot);
        // END SOLUTION 3
    }
    CUDA_CHECK_LAUNCH();

    // TODO(4): Make the caller's later work wait for all of this work. 2 lines.
    // BEGIN SOLUTION 4
    CUDA_CHECK(cudaEventRecord(stages.end, stages.consumer));
    CUDA_CHECK(cudaStreamWaitEvent(caller, stages.end, 0));
    // STARTER KIT_TODO(4, stages, caller);
    // END SOLUTION 4
}
// [/run_rounds]

}  // namespace streams

// 21_attention/online_softmax: a softmax in one pass, and states that merge.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests online_softmax.cu
//        ../../tests/21_attention/online_softmax_test.cu -o online_softmax
// Run:   ./online_softmax
//
//   v2  online_softmax_v2: like v1, but one pass gives the maximum and the sum, and a block computes a row

#include "21_attention/21_attention.hpp"
#include "kit.cuh"

namespace attention {

constexpr int kBlock = 128;  // threads of a block, which computes one row

/// Returns the state of the inputs of `a` and `b` together.
// [merge]
__device__ SoftmaxState merge(SoftmaxState a, SoftmaxState b) {
    // TODO(1): The maximum is the larger one. Multiply each sum by expf(its maximum - the new maximum) before you add them. A state
    // without inputs has the maximum -inf and the sum 0. What is -inf - -inf? About 3 lines.
    // BEGIN SOLUTION 1
    float maximum = fmaxf(a.maximum, b.maximum);
    if (maximum == -INFINITY) return {-INFINITY, 0};
    return {maximum, a.sum * expf(a.maximum - maximum) + b.sum * expf(b.maximum - maximum)};
    // STARTER KIT_TODO(1, a, b);
    // STARTER return a;
    // END SOLUTION 1
}
// [/merge]

/// Returns the state of a row, in every thread of the block.
// [row_state]
__device__ SoftmaxState state_of_row(const float* row, int columns) {
    constexpr unsigned int all_lanes = 0xffffffffu;
    constexpr int warps = kBlock / 32;
    __shared__ SoftmaxState of_warps[warps];
    int t = threadIdx.x;

    // TODO(2): Compute the state of the columns t, t + kBlock, t + 2 * kBlock and so on. Load each input once. A single input x is the
    // state {x, 1}. About 1 line.
    SoftmaxState state = {-INFINITY, 0};
    // BEGIN SOLUTION 2
    for (int i = t; i < columns; i += kBlock) state = merge(state, {row[i], 1});
    // STARTER KIT_TODO(2, row, columns, t, state);
    // END SOLUTION 2

    // TODO(3): Merge the states of the lanes with __shfl_xor_sync, for the maximum and for the sum. Lane 0 of each warp stores its state in
    // of_warps. When all states are there, every thread merges them. About 9 lines.
    // BEGIN SOLUTION 3
    for (int offset = 16; offset > 0; offset /= 2) {
        SoftmaxState other = {__shfl_xor_sync(all_lanes, state.maximum, offset),
                              __shfl_xor_sync(all_lanes, state.sum, offset)};
        state = merge(state, other);
    }
    if (t % 32 == 0) of_warps[t / 32] = state;
    __syncthreads();  // every thread reads the states that all warps have stored
    state = of_warps[0];
    for (int warp = 1; warp < warps; ++warp) state = merge(state, of_warps[warp]);
    // STARTER KIT_TODO(3, all_lanes, of_warps, t, state);
    // END SOLUTION 3
    return state;
}
// [/row_state]

__global__ void merge_pairs(const SoftmaxState* a, const SoftmaxState* b, SoftmaxState* merged, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) merged[i] = merge(a[i], b[i]);
}

__global__ void states_of_rows(const float* in, SoftmaxState* states, int columns) {
    int row = blockIdx.x;
    SoftmaxState state = state_of_row(in + row * columns, columns);
    if (threadIdx.x == 0) states[row] = state;
}

// v2: like v1, but a thread updates a maximum and a sum with each input, and the states of the threads are merged.
// Mapping : a block per row; a thread has every kBlock-th column.
// Cost    : 2 global reads per input: one for the state, one for the weight; 1 barrier.
// Requires: blockDim = kBlock; a row can have any number of columns.
// Next    : the sum can be a sum of vectors instead of numbers; see v4.
// [v2]
__global__ void online_softmax_v2(const float* in, float* out, int columns) {
    const float* row = in + blockIdx.x * columns;
    SoftmaxState state = state_of_row(row, columns);

    // TODO(4): Store the weights of the row: expf(input - maximum) divided by the sum, or 0 if the sum is 0. About 2 lines.
    // BEGIN SOLUTION 4
    for (int i = threadIdx.x; i < columns; i += kBlock)
        out[blockIdx.x * columns + i] = state.sum > 0 ? expf(row[i] - state.maximum) / state.sum : 0;
    // STARTER KIT_TODO(4, row, out, columns, state);
    // END SOLUTION 4
}
// [/v2]

void merge_states(const SoftmaxState* a, const SoftmaxState* b, SoftmaxState* merged, int count) {
    if (count == 0) return;
    merge_pairs<<<kit::ceil_div(count, kBlock), kBlock>>>(a, b, merged, count);
    CUDA_CHECK_LAUNCH();
}

void softmax_states(const float* in, SoftmaxState* states, int rows, int columns) {
    if (rows == 0) return;
    states_of_rows<<<rows, kBlock>>>(in, states, columns);
    CUDA_CHECK_LAUNCH();
}

void online_softmax(const float* in, float* out, int rows, int columns) {
    if (rows == 0 || columns == 0) return;
    online_softmax_v2<<<rows, kBlock>>>(in, out, columns);
    CUDA_CHECK_LAUNCH();
}

}  // namespace attention

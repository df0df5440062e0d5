// 21_attention/softmax: a softmax per warp, without overflow.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests softmax.cu
//        ../../tests/21_attention/softmax_test.cu -o softmax
// Run:   ./softmax
//
//   v1  softmax_v1_warp  a warp per row, which reads the row three times: maximum, sum, weights

#include "21_attention/21_attention.hpp"
#include "kit.cuh"

namespace attention {

constexpr int kWarps = 4;  // rows of a block
constexpr unsigned int kAllLanes = 0xffffffffu;

// v1: the 32 lanes of a warp share the inputs of one row.
// Mapping : warp w of a block computes row blockIdx.x * kWarps + w; a lane has every 32nd column.
// Cost    : 3 global reads per input, of which two usually hit a cache; 2 exponentials per input.
// Requires: whole warps; a row can have any number of columns.
// Next    : the maximum and the sum can be computed in one pass; see v2.
// [v1]
__global__ void softmax_v1_warp(const float* in, float* out, int rows, int columns) {
    int lane = threadIdx.x % 32;
    int row = blockIdx.x * kWarps + threadIdx.x / 32;
    if (row >= rows) return;  // the whole warp returns
    in += row * columns;
    out += row * columns;

    // TODO(1): Find the largest input of the row, and let every lane have it. Lane 0 looks at the columns 0, 32, 64 and so on. Then
    // combine the lanes' values: __shfl_xor_sync(kAllLanes, value, offset) with the offsets 16, 8, 4, 2, 1. About 3 lines.
    float maximum = -INFINITY;
    KIT_TODO(1, in, columns, lane, maximum);

    // TODO(2): Sum expf(input - maximum) over the row, and let every lane have the sum. If all inputs are -inf, the sum must be 0. Note
    // that -inf - -inf is NaN. About 3 lines.
    float sum = 0;
    KIT_TODO(2, in, columns, lane, maximum, sum);

    // TODO(3): Store the weights: each exponential divided by the sum, or 0 if the sum is 0. About 2 lines.
    KIT_TODO(3, in, out, columns, lane, maximum, sum);
}
// [/v1]

void softmax(const float* in, float* out, int rows, int columns) {
    if (rows == 0 || columns == 0) return;
    softmax_v1_warp<<<kit::ceil_div(rows, kWarps), kWarps * 32>>>(in, out, rows, columns);
    CUDA_CHECK_LAUNCH();
}

}  // namespace attention

// 21_attention/attention: three kernels, and the bytes of the scores.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests attention.cu
//        ../../tests/21_attention/attention_test.cu -o attention
// Run:   ./attention
//
//   v3  attention_v3_scores   the scores: a product of q and the transposed k
//   v3  attention_v3_weights  the softmax of each row of scores, in place
//   v3  attention_v3_sums     the outputs: a product of the weights and v

#include "21_attention/21_attention.hpp"
#include "kit.cuh"

namespace attention {

constexpr int kTile = 32;

// v3: the first kernel. Like the product of topic 20 with tiles, but the rows of k are the columns of the second factor.
// Mapping : a block computes the scores of kTile queries and kTile keys of one head; thread (x, y) those of key x and query y.
// Cost    : q and k are loaded once for every kTile keys or queries; 4 bytes are stored per score.
// Requires: blockDim = (kTile, kTile); any number of queries and keys, and any size.
// Next    : the scores go to memory and back; see v4.
// [scores]
__global__ void __launch_bounds__(kTile* kTile)
    attention_v3_scores(Shape shape, const float* q, const float* k, float* weights) {
    __shared__ float q_tile[kTile][kTile];
    __shared__ float k_tile[kTile][kTile + 1];  // the lanes of a warp read a column
    int x = threadIdx.x, y = threadIdx.y, head = blockIdx.z;
    int first_key = blockIdx.x * kTile, first_query = blockIdx.y * kTile;
    q += head * shape.queries * shape.size;
    k += head * shape.keys * shape.size;
    weights += head * shape.queries * shape.keys;
    float score = 0;
    for (int first = 0; first < shape.size; first += kTile) {
        // TODO(1): Copy one element of q and one of k, from the elements `first` to first + kTile - 1 of kTile queries and kTile keys. Store 0
        // for an element that does not exist. Then add the products of query y and key x to `score`. About 7 lines.
        // BEGIN SOLUTION 1
        bool exists = first + x < shape.size;
        int query = first_query + y, key = first_key + y;
        q_tile[y][x] = exists && query < shape.queries ? q[query * shape.size + first + x] : 0;
        k_tile[y][x] = exists && key < shape.keys ? k[key * shape.size + first + x] : 0;
        __syncthreads();  // all stores to the tiles precede all loads from them
        for (int d = 0; d < kTile; ++d) score += q_tile[y][d] * k_tile[x][d];
        __syncthreads();  // all loads from the tiles precede the stores of the next step
        // STARTER KIT_TODO(1, q, k, q_tile, k_tile, first, first_query, first_key, x, y, score);
        // END SOLUTION 1
    }

    // TODO(2): Store the score of query y and key x of the tile, divided by the square root of the size, if both exist. About 3 lines.
    // BEGIN SOLUTION 2
    int query = first_query + y, key = first_key + x;
    if (query < shape.queries && key < shape.keys)
        weights[query * shape.keys + key] = score / sqrtf(static_cast<float>(shape.size));
    // STARTER KIT_TODO(2, weights, first_query, first_key, x, y, score);
    // END SOLUTION 2
}
// [/scores]

// v3, second kernel: like v1, but the weights replace the scores.
// Mapping : a warp per row, kTile rows per block; the rows of all heads are one array.
// Cost    : 3 global reads and 1 write of each score.
// Requires: blockDim = (32, kTile).
// [weights]
__global__ void attention_v3_weights(float* weights, int rows, int columns) {
    constexpr unsigned int all_lanes = 0xffffffffu;
    int lane = threadIdx.x, row = blockIdx.x * kTile + threadIdx.y;
    if (row >= rows) return;  // the whole warp returns
    weights += row * columns;

    // TODO(3): Replace the scores of this row by their softmax, as in the exercise softmax. All scores are finite. About 7 lines.
    // BEGIN SOLUTION 3
    float maximum = -INFINITY, sum = 0;
    for (int i = lane; i < columns; i += 32) maximum = fmaxf(maximum, weights[i]);
    for (int offset = 16; offset > 0; offset /= 2)
        maximum = fmaxf(maximum, __shfl_xor_sync(all_lanes, maximum, offset));
    for (int i = lane; i < columns; i += 32) sum += expf(weights[i] - maximum);
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(all_lanes, sum, offset);
    for (int i = lane; i < columns; i += 32) weights[i] = expf(weights[i] - maximum) / sum;
    // STARTER KIT_TODO(3, weights, columns, lane, all_lanes);
    // END SOLUTION 3
}
// [/weights]

// v3, third kernel: the product of the weights and v, with tiles.
// Mapping : a block computes kTile elements of the outputs of kTile queries; thread (x, y) element x of query y.
// Cost    : the weights and v are loaded once for every kTile elements or queries.
// Requires: blockDim = (kTile, kTile); any number of queries and keys, and any size.
// [sums]
__global__ void __launch_bounds__(kTile* kTile)
    attention_v3_sums(Shape shape, const float* weights, const float* v, float* out) {
    __shared__ float w_tile[kTile][kTile];
    __shared__ float v_tile[kTile][kTile];
    int x = threadIdx.x, y = threadIdx.y, head = blockIdx.z;
    int query = blockIdx.y * kTile + y, element = blockIdx.x * kTile + x;
    weights += head * shape.queries * shape.keys;
    v += head * shape.keys * shape.size;
    out += head * shape.queries * shape.size;
    float sum = 0;
    for (int first = 0; first < shape.keys; first += kTile) {
        // TODO(4): Copy one weight and one element of v of the keys `first` to first + kTile - 1. Store 0 for what does not exist. Then add the
        // products to `sum`. About 6 lines.
        // BEGIN SOLUTION 4
        int key = first + x, value = first + y;
        w_tile[y][x] = query < shape.queries && key < shape.keys ? weights[query * shape.keys + key] : 0;
        v_tile[y][x] = value < shape.keys && element < shape.size ? v[value * shape.size + element] : 0;
        __syncthreads();  // all stores to the tiles precede all loads from them
        for (int j = 0; j < kTile; ++j) sum += w_tile[y][j] * v_tile[j][x];
        __syncthreads();  // all loads from the tiles precede the stores of the next step
        // STARTER KIT_TODO(4, weights, v, w_tile, v_tile, first, x, y, query, element, sum);
        // END SOLUTION 4
    }
    if (query < shape.queries && element < shape.size) out[query * shape.size + element] = sum;
}
// [/sums]

// [launches]
void attention(Shape shape, const float* q, const float* k, const float* v, float* weights, float* out) {
    int heads = shape.batch * shape.heads, rows = heads * shape.queries;
    if (rows == 0) return;
    int tiles_of_queries = kit::ceil_div(shape.queries, kTile),
        tiles_of_keys = kit::ceil_div(shape.keys, kTile);
    dim3 block(kTile, kTile);
    if (shape.keys > 0) {
        dim3 grid(tiles_of_keys, tiles_of_queries, heads);
        attention_v3_scores<<<grid, block>>>(shape, q, k, weights);
        CUDA_CHECK_LAUNCH();
        attention_v3_weights<<<kit::ceil_div(rows, kTile), dim3(32, kTile)>>>(weights, rows, shape.keys);
        CUDA_CHECK_LAUNCH();
    }
    dim3 grid(kit::ceil_div(shape.size, kTile), tiles_of_queries, heads);
    attention_v3_sums<<<grid, block>>>(shape, weights, v, out);
    CUDA_CHECK_LAUNCH();
}
// [/launches]

}  // namespace attention

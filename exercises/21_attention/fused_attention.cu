// 21_attention/fused_attention: one kernel with tiles, causal mask, ragged lengths.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests fused_attention.cu
//        ../../tests/21_attention/fused_attention_test.cu -o fused_attention
// Run:   ./fused_attention
//
//   v4  fused_attention_v4  a warp per query: scores, weights and sums of a tile of keys stay in registers

#include "21_attention/21_attention.hpp"
#include "kit.cuh"

namespace attention {

constexpr int kQueries = 8;            // queries of a block, one per warp
constexpr int kKeys = 32;              // keys of a tile, one per lane
constexpr int kParts = kMaxSize / 32;  // elements of the output that a lane has

/// Keys and values of a tile. A row of keys is one float longer, because the lanes of a warp read 32 rows at the same time.
struct Tile {
    float k[kKeys][kMaxSize + 1];
    float v[kKeys][kMaxSize];
};

/// The keys at the positions `first` to end - 1.
struct Range {
    int first, end;
};

/// Returns the keys that this query uses.
// [keys_of]
__device__ Range keys_of(Shape shape, int length, int window, int query) {
    // TODO(1): Compute the position of the query's token in the sequence. A padded query uses no keys. About 4 lines.
    KIT_TODO(1, shape, length, window, query);
    return {0, 0};
}
// [/keys_of]

/// Copies the keys and values `first` to first + kKeys - 1 of a head to the tile.
// [copy]
__device__ void copy_tile(Tile& tile, Shape shape, const float* k, const float* v, int first, int length) {
    // TODO(2): Let thread t copy the elements t, t + blockDim.x and so on. Store 0 for keys and values at `length` and later: 0 * NaN is
    // NaN, so a weight of 0 is not enough. About 6 lines.
    KIT_TODO(2, tile, shape, k, v, first, length);
}
// [/copy]

/// The state of the softmax of a query, with a sum of vectors. A lane has kParts elements of the vector: lane, lane + 32 and so on.
struct Running {
    float maximum = -INFINITY;  // the largest score so far
    float sum = 0;              // the sum of expf(score - maximum)
    float output[kParts] = {};  // the sum of expf(score - maximum) * value
};

/// Adds the keys of a tile to the state of a query. The lane has the score of one key, or -inf if the query does not use this key.
// [add]
__device__ void add_tile(Running& running, const Tile& tile, float score, int lane, int size) {
    constexpr unsigned int all_lanes = 0xffffffffu;
    float largest = score;
    for (int offset = 16; offset > 0; offset /= 2)
        largest = fmaxf(largest, __shfl_xor_sync(all_lanes, largest, offset));

    // TODO(3): Compute the new maximum. If it is still -inf, there is nothing to add. Compute the weight of this lane's key, relative to the new
    // maximum, and rescale the old sum and the old output. About 7 lines.
    float weight = 0;
    KIT_TODO(3, running, score, largest, weight);

    // TODO(4): Add the weights of all lanes to the sum. Then add each value of the tile to the output, with its weight. Lane j has the weight of
    // value j: __shfl_sync(all_lanes, weight, j). About 8 lines.
    KIT_TODO(4, running, tile, weight, all_lanes, lane, size);
}
// [/add]

// v4: like v3, but a block keeps the scores of a tile in registers, and adds its values to the outputs before the next tile.
// Mapping : a block computes kQueries neighbouring queries of a head, one per warp; a lane has one key of the tile.
// Cost    : k and v are loaded once for every kQueries queries; no score is stored.
// Requires: blockDim = kQueries * 32.
// Next    : the products run on ordinary units and shared memory is the limit; see the demo for tensor cores.
// [v4]
__global__ void __launch_bounds__(kQueries * 32)
    fused_attention_v4(Shape shape, const int* lengths, int window, const float* q, const float* k,
                       const float* v, float* out) {
    __shared__ Tile tile;
    __shared__ float q_tile[kQueries][kMaxSize];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int head = blockIdx.y, length = lengths[head / shape.heads];
    int first_query = blockIdx.x * kQueries, query = first_query + warp;
    q += head * shape.queries * shape.size;
    k += head * shape.keys * shape.size;
    v += head * shape.keys * shape.size;
    out += head * shape.queries * shape.size;

    bool exists = query < shape.queries;
    for (int d = lane; d < shape.size; d += 32) q_tile[warp][d] = exists ? q[query * shape.size + d] : 0;
    __syncwarp();  // the lanes of the warp read what its other lanes have stored
    Range keys = exists ? keys_of(shape, length, window, query) : Range{0, 0};
    int last_query = min(first_query + kQueries, shape.queries) - 1;
    float factor = rsqrtf(static_cast<float>(shape.size));
    Running running;

    // TODO(5): Go through the tiles that a query of this block uses. The first query of the block uses the first keys, and the last query
    // the last ones. For each tile: copy it, compute the score of query `warp` and key `lane`, and add the tile. Which barriers does this
    // need? About 11 lines.
    KIT_TODO(5, shape, window, k, v, tile, q_tile, length, keys, first_query, last_query, factor, running,
             lane, warp);

    // TODO(6): Store the output divided by the sum; 0 if the query used no key. About 5 lines.
    KIT_TODO(6, out, shape, exists, query, lane, running);
}
// [/v4]

void fused_attention(Shape shape, const int* lengths, int window, const float* q, const float* k,
                     const float* v, float* out) {
    int heads = shape.batch * shape.heads;
    if (heads == 0 || shape.queries == 0) return;
    dim3 grid(kit::ceil_div(shape.queries, kQueries), heads);
    fused_attention_v4<<<grid, kQueries * 32>>>(shape, lengths, window, q, k, v, out);
    CUDA_CHECK_LAUNCH();
}

}  // namespace attention

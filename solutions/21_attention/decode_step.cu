// 21_attention/decode_step: one new token, with keys and values in pages.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests decode_step.cu
//        ../../tests/21_attention/decode_step_test.cu -o decode_step
// Run:   ./decode_step
//
//   v5  decode_v5_pages: heads, sequences and parts of a sequence in blocks; the last block merges their states

#include <cuda/atomic>

#include "21_attention/21_attention.hpp"
#include "kit.cuh"

namespace attention {

constexpr int kWarps = 4;              // warps per block
constexpr float kScale = 0.17677669f;  // 1 / sqrt(kElements)

/// The softmax over some tokens, as one lane sees it: the weighted sum has kElements elements, and each lane has one of them.
struct Partial {
    float maximum;  // largest score, -INFINITY if there is no token
    float sum;      // sum of exp(score - maximum)
    float value;    // sum of exp(score - maximum) * value, not divided by `sum`
};

// [merge]
/// Returns the state over the tokens of both arguments. Either of them, or both, can be without tokens.
__device__ Partial merge(Partial a, Partial b) {
    // TODO(1): Find the larger maximum. If it is -INFINITY, there are no tokens: return either state. Otherwise scale the sum
    // and the value of each state to the new maximum, and add them. About 4 lines.
    // BEGIN SOLUTION 1
    float maximum = fmaxf(a.maximum, b.maximum);
    if (maximum == -INFINITY) return a;
    float scale_a = expf(a.maximum - maximum), scale_b = expf(b.maximum - maximum);
    return {maximum, a.sum * scale_a + b.sum * scale_b, a.value * scale_a + b.value * scale_b};
    // STARTER KIT_TODO(1, b);
    // STARTER return a;
    // END SOLUTION 1
}
// [/merge]

// [place]
/// Returns the place of the first element of this token's key in cache.keys, which is also that of its value in cache.values.
__device__ size_t place_of(const Cache& cache, int heads, int sequence, int token, int head) {
    // TODO(2): Get the page of the token from the sequence's row of the page table. The page has the keys of
    // cache.page_tokens tokens, and each token has kElements elements for each head. About 3 lines.
    // BEGIN SOLUTION 2
    int page = cache.table[sequence * cache.most_pages + token / cache.page_tokens];
    size_t row = static_cast<size_t>(page) * cache.page_tokens + token % cache.page_tokens;
    return (row * heads + head) * kElements;
    // STARTER KIT_TODO(2, cache, heads, sequence, token, head);
    // STARTER return 0;
    // END SOLUTION 2
}
// [/place]

/// Returns the sum over the lanes of a full warp to each of them.
__device__ float sum_of_lanes(float value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
    return value;
}

// v5: like v4, but for one query per sequence, and the tokens of a sequence are spread over kSplits blocks.
// Mapping : block (head, split, sequence); a warp takes every kWarps-th token of the split; lane e has element e.
// Cost    : each key and value is loaded once. A block stores one state, and the last block of a head loads kSplits of them.
// Requires: blockDim = 32 * kWarps; the tickets are 0 when the kernel starts, and 0 again when it has finished.
// Next    : a step of a model has many kernels, each as short as this one; see v6.
// [v5]
__global__ void decode_v5_pages(Step step, Cache cache, float* out, Workspace work) {
    static_assert(kElements == 32, "one element per lane");
    __shared__ Partial of_warps[kWarps][32];
    int head = blockIdx.x, split = blockIdx.y, sequence = blockIdx.z;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int row =
        sequence * step.heads + head;  // row of the queries, of the new keys and values, and of the output
    int length = step.lengths[sequence] + 1;  // with the new token
    int tokens = kit::ceil_div(length, kSplits);
    int first = split * tokens;
    int end = min(first + tokens, length);  // the block has no tokens if first >= end
    float query = step.queries[row * kElements + lane] * kScale;

    Partial mine = {-INFINITY, 0, 0};
    for (int token = first + warp; token < end; token += kWarps) {
        float key, value;
        // TODO(3): Load this lane's element of the key and of the value. Those of the new token, length - 1, are in step.new_keys
        // and step.new_values: also append them to the cache. Then compute the score with sum_of_lanes, and
        // merge a state of this one token. About 10 lines.
        // BEGIN SOLUTION 3
        size_t at = place_of(cache, step.heads, sequence, token, head) + lane;
        if (token == length - 1) {
            key = cache.keys[at] = step.new_keys[row * kElements + lane];
            value = cache.values[at] = step.new_values[row * kElements + lane];
        } else {
            key = cache.keys[at];
            value = cache.values[at];
        }
        float score = sum_of_lanes(query * key);
        mine = merge(mine, {score, 1, value});
        // STARTER KIT_TODO(3, query, row, key, value, cache);
        // END SOLUTION 3
    }

    // TODO(4): Let every warp put its states into of_warps. When all warps have done this, let warp 0 merge them, and let all
    // other warps return. About 4 lines.
    // BEGIN SOLUTION 4
    of_warps[warp][lane] = mine;
    __syncthreads();  // warp 0 reads the states of all warps
    if (warp != 0) return;
    for (int other = 1; other < kWarps; ++other) mine = merge(mine, of_warps[other][lane]);
    // STARTER KIT_TODO(4, of_warps, warp, lane);
    // END SOLUTION 4

    PartialState* states = work.states + row * kSplits;
    // TODO(5): Store the state of this block in states[split]. Then let lane 0 draw a ticket from work.tickets[row], with one
    // update that releases and acquires. All lanes must have stored before it, and they may load only after it, so put a
    // __syncwarp() before and after. Return unless all other blocks have drawn before. About 11 lines.
    // BEGIN SOLUTION 5
    states[split].value[lane] = mine.value;
    if (lane == 0) states[split].maximum = mine.maximum, states[split].sum = mine.sum;
    __syncwarp();  // all lanes have stored before lane 0 releases
    int before = 0;
    if (lane == 0) {
        cuda::atomic_ref<int, cuda::thread_scope_device> ticket(work.tickets[row]);
        before = ticket.fetch_add(1, cuda::memory_order_acq_rel);
    }
    before = __shfl_sync(0xffffffffu, before, 0);
    __syncwarp();  // lane 0 has acquired before any lane loads
    if (before != kSplits - 1) return;
    // STARTER KIT_TODO(5, states, split, mine);
    // END SOLUTION 5

    // TODO(6): Merge the states of all splits, store the output, and set the ticket back to 0. About 5 lines.
    // BEGIN SOLUTION 6
    Partial all = {-INFINITY, 0, 0};
    for (int other = 0; other < kSplits; ++other)
        all = merge(all, {states[other].maximum, states[other].sum, states[other].value[lane]});
    out[row * kElements + lane] = all.value / all.sum;
    if (lane == 0) work.tickets[row] = 0;  // no race: all blocks of this row have drawn
    // STARTER KIT_TODO(6, states, out);
    // END SOLUTION 6
}
// [/v5]

void decode_step(const Step& step, const Cache& cache, float* out, const Workspace& work) {
    if (step.sequences == 0) return;
    dim3 grid(step.heads, kSplits, step.sequences);
    decode_v5_pages<<<grid, 32 * kWarps>>>(step, cache, out, work);
    CUDA_CHECK_LAUNCH();
}

}  // namespace attention

// The contract of topic 21_attention: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

/// Topic 21: attention, from the softmax of a row to a loop that generates tokens.
///
/// **Softmax.** The softmax of inputs x(0) .. x(n - 1) are n weights: weight(i) = exp(x(i)) / (sum over j of exp(x(j))). The weights do not
/// change if the same number is subtracted from every input. With the maximum subtracted, no exponential overflows. An input can be -inf;
/// its weight is 0. If all inputs are -inf, all weights are 0. No input is +inf or NaN.
///
/// **Attention.** A query is a vector, and each key has a value, which is a vector of the same size. The score of a query and a key is
/// their scalar product divided by the square root of `size`. The output of a query is a weighted sum of the values. The weights are the
/// softmax of the query's scores. If a query has no keys, its output is 0.
///
/// **Layout.** All arrays are in device memory, without gaps, in row-major order: the last index of the shape varies fastest. Element d of
/// key j of head h of sequence b is k[((b * heads + h) * keys + j) * size + d]. Arrays do not overlap, and begin at multiples of 16
/// bytes. Every array has less than 2^31 elements. Sizes can be 0; then there is nothing to compute, or the sum has no terms.
///
/// The number of sequences times the number of heads is at most 65,535, so it can be a dimension of the grid.
///
/// **Accuracy.** Results are compared with those of double precision. An error of 1e-4 is allowed for a value of about 1. Sums in float and
/// `expf` reach this without special care.
///
/// An error of a launch ends the program (CUDA_CHECK_LAUNCH).
///
/// What is counted, besides the values (on the CPU backend):
///   - softmax: kernels, sectors, stores
///   - online_softmax: kernels, loads, stores
///   - attention: kernels, loads, stores
///   - fused_attention: kernels, loads, stores
///
/// What the host may compute: nothing.
///
/// Source: Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018; Dao et al., "FlashAttention", 2022.
namespace attention {

// ---- softmax ----

/// Computes the softmax of each row. The accesses of a warp are coalesced.
///
/// @param in       rows x columns, not modified
/// @param out      rows x columns; each element is written once, its contents before the call do not matter
/// @param rows     number of rows, 0 or more
/// @param columns  inputs of a row, 0 or more, not always a multiple of 32
void softmax(const float* in, float* out, int rows, int columns);

// ---- online_softmax ----

/// What the softmax of a set of inputs needs to know about them.
struct SoftmaxState {
    float maximum;  ///< the largest input; -inf if there is none, or if all are -inf
    float sum;      ///< the sum of exp(x - maximum) over the inputs x; 0 if maximum is -inf
};

/// Merges pairs of states: merged[i] is the state of the inputs of a[i] and of b[i] together. Merging is associative except for rounding.
/// The state without inputs is its neutral element.
///
/// @param a       `count` states, not modified
/// @param b       `count` states, not modified
/// @param merged  `count` states; each is written once
/// @param count   number of pairs, 0 or more
void merge_states(const SoftmaxState* a, const SoftmaxState* b, SoftmaxState* merged, int count);

/// Computes the state of each row. The kernel loads each input once.
///
/// @param in       rows x columns, not modified
/// @param states   one state per row; each is written once
/// @param rows     number of rows, 0 or more
/// @param columns  inputs of a row, 0 or more
void softmax_states(const float* in, SoftmaxState* states, int rows, int columns);

/// Computes the softmax of each row. The kernels load each input at most twice: once for the state of its row, and once for its weight. The
/// parameters are those of `softmax`.
void online_softmax(const float* in, float* out, int rows, int columns);

// ---- attention ----

/// Sizes of an attention.
struct Shape {
    int batch;    ///< sequences
    int heads;    ///< independent attentions of each sequence
    int queries;  ///< queries of each head
    int keys;     ///< keys of each head, and values
    int size;     ///< elements of a query, a key, a value and an output, 1 to kMaxSize
};

/// The largest size of a head.
constexpr int kMaxSize = 128;

/// Computes attention with three kernels: the scores, their softmax in place, and the weighted sums. Every query uses all keys. An
/// element of q is loaded at most once for every 32 keys, an element of k or v at most once for every 32 queries, and a score three times for
/// its softmax. A weight is loaded once for every 32 elements of an output. Each score and each weight is stored once.
///
/// @param shape    the sizes
/// @param q        batch x heads x queries x size, not modified
/// @param k        batch x heads x keys x size, not modified
/// @param v        batch x heads x keys x size, not modified
/// @param weights  batch x heads x queries x keys; its contents before the call do not matter, and on return it has the weights
/// @param out      batch x heads x queries x size; each element is written once
void attention(Shape shape, const float* q, const float* k, const float* v, float* weights, float* out);

// ---- fused_attention ----

/// Values of `window`: every query uses all keys of its sequence, or all keys up to its own position.
constexpr int kNoMask = 0, kCausal = 1 << 30;

/// Computes attention with one kernel, for sequences of different lengths. It does not store scores or weights in global memory. It loads
/// an element of k or v at most once for every 8 queries, and skips tiles of keys that no query of a block uses: with 128 queries and 128
/// keys, it loads at most three quarters of that with a causal mask, and at most half of that with a window of 16 keys.
///
/// Sequence b has lengths[b] keys. The keys and values at lengths[b] and later are padding: they exist in memory, but they can have any
/// value, including NaN, and do not influence the result. The queries are the last ones of the sequence, so query i belongs to the token
/// at position p = lengths[b] - queries + i. If p is negative, the query is padding: it can have any value, it uses no key, and its output
/// is 0.
///
/// The window is the mask. If it is kNoMask, a query uses all keys of its sequence. If it is a number w of 1 or more, a query uses the last
/// w keys up to its own position, or fewer if the sequence begins later: those from max(0, p - w + 1) to p. With kCausal these are
/// all keys from 0 to p.
///
/// @param shape    the sizes; `keys` is the largest possible length
/// @param lengths  one length per sequence, each from 0 to shape.keys; in device memory
/// @param window   kNoMask, or 1 to kCausal keys
/// @param q        batch x heads x queries x size, not modified
/// @param k        batch x heads x keys x size, not modified
/// @param v        batch x heads x keys x size, not modified
/// @param out      batch x heads x queries x size; each element is written once, its contents before the call do not matter
void fused_attention(Shape shape, const int* lengths, int window, const float* q, const float* k,
                     const float* v, float* out);

// ==== Decoding: decode_step, decode_graph, decode_loop follow below this line ====

}  // namespace attention

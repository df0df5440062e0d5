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
///   - decode_step: blocks, kernels, loads, share of one thread, stores
///   - decode_graph: blocks, captures, graph launches, graphs, instances, waits
///   - decode_loop: bodies, graph launches, waits
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

// ---- decode_step ----

/// Elements of a query, a key or a value of one head, in decode_step.
constexpr int kElements = 32;

/// Number of blocks that share the tokens of a sequence, for each head.
constexpr int kSplits = 4;

/// Keys and values of all sequences, in pages of page_tokens tokens. Page p has the rows p * page_tokens and following, one for each of its
/// tokens. Element e of head h of row r is keys[(r * heads + h) * kElements + e], and in the same way for the values.
///
/// The page table has a row of most_pages entries for each sequence. Entry i is the page of the tokens i * page_tokens and following. The
/// entries for all tokens of the sequence exist, including the new token. All further entries can have any value.
struct Cache {
    float* keys;
    float* values;
    const int* table;  ///< sequences x most_pages
    int page_tokens;   ///< 1 or more, any number
    int most_pages;    ///< 1 or more
};

/// One new token for each sequence. Row s * heads + h of queries, keys and values belongs to head h of sequence s.
struct Step {
    int sequences;            ///< 0 to 65535
    int heads;                ///< 1 or more
    const float* queries;     ///< sequences x heads x kElements
    const float* new_keys;    ///< the same shape: the keys of the new tokens
    const float* new_values;  ///< the same shape
    const int* lengths;  ///< for each sequence, the tokens that the cache has before this step: 0 or more
};

/// The softmax over some tokens of a sequence, for one head.
struct PartialState {
    float maximum;           ///< the largest score
    float sum;               ///< sum of exp(score - maximum) over the tokens
    float value[kElements];  ///< sum of exp(score - maximum) * value over the tokens
};

/// Memory that decode_step may use. Its size is that of sequences * heads rows.
struct Workspace {
    PartialState* states;  ///< kSplits for each row, with any values
    int* tickets;          ///< one for each row: 0 before a call, and 0 after it
};

/// Appends one token to each sequence, and computes the attention of its query for each head. The query uses all tokens of its sequence,
/// including the new token itself.
///
/// One kernel does this. It has at least kSplits blocks for each head of each sequence, which share the tokens of a long sequence, and
/// loads each key and each value once. Nothing in the cache changes except the keys and values of the new tokens.
///
/// @param step   the new tokens, not modified
/// @param cache  the keys and values; the new ones are appended
/// @param out    sequences x heads x kElements; its contents before the call do not matter
/// @param work   scratch memory
void decode_step(const Step& step, const Cache& cache, float* out, const Workspace& work);

// ---- decode_graph ----

/// Tokens that the small model of decode_graph and decode_loop knows, and elements of its vectors. Both fit a warp.
constexpr int kVocabulary = 32;
constexpr int kHidden = 32;

/// Weights of the small model. A token t has the vector x = row t of `embedding`. Its query, key and value are the products of x with three
/// matrices. The query attends to all tokens of the sequence including its own, with one head, which gives a vector a. The hidden vector
/// is h = x + a mix, and the logits of the next token are h output. Logit t says how probable token t is as the next one.
struct Model {
    const float* embedding;  ///< kVocabulary x kHidden
    const float* query;      ///< kHidden x kHidden, like the following ones
    const float* key;
    const float* value;
    const float* mix;
    const float* output;  ///< kHidden x kVocabulary
};

/// Keys and values of the sequences that the server knows. Each sequence has a slot with room for `capacity` tokens.
struct Slots {
    float* keys;    ///< slots x capacity x kHidden
    float* values;  ///< the same shape
    int* lengths;   ///< for each slot, the number of tokens that it has
    int capacity;
};

/// The sequences of one step. Entry i is the sequence in slots[i], with its newest token tokens[i], which the slot does not have yet.
struct Batch {
    int n;              ///< 1 to 2^(kPaddedSizes - 1)
    const int* slots;   ///< n different slots
    const int* tokens;  ///< n tokens
    float* logits;      ///< n x kVocabulary
};

/// Number of the padded sizes 1, 2, 4, 8, 16.
constexpr int kPaddedSizes = 5;

/// The graph of one padded size.
struct PaddedGraph {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    cudaGraphNode_t first = nullptr;
};

/// A server that decodes. The caller sets model, slots and the scratch memory, which do not change. The rest belongs to decode().
struct Decoder {
    Model model;
    Slots slots;
    Batch* current;  ///< one batch in device memory: scratch memory
    float* hidden;   ///< 2^(kPaddedSizes - 1) x kHidden: scratch memory
    PaddedGraph padded[kPaddedSizes];
};

/// Computes a step of the batch: appends the key and the value of each token to its slot, computes the logits of the next token, and adds
/// 1 to the length of the slot. Queues the step in the stream and does not wait.
///
/// Each step is one graph launch. The graph has blocks for the smallest padded size that is not below batch.n. There is at most one
/// capture, one graph and one instance for each padded size, whatever the number of steps. Nothing is written for the padding.
///
/// An error of any CUDA call ends the program (CUDA_CHECK).
///
/// @param batch   all of its members can differ from step to step
/// @param stream  not capturing
/// @param decoder the server; its graphs are created when they are needed
void decode(Decoder& decoder, const Batch& batch, cudaStream_t stream);

/// Destroys all graphs and instances. Given.
void close(Decoder& decoder);

// ---- decode_loop ----

/// Sequences for which the small model generates tokens. Sequence s uses slot s, whose first starts[s] tokens are given and not modified.
/// Its newest token is first[s], which the slot does not have yet. A sequence is done when it has generated end_token, or most_tokens
/// tokens. Where a comment says "scratch", the values before a launch do not matter.
struct Generation {
    Model model;
    Slots slots;          ///< with room for starts[s] + most_tokens tokens; `lengths` is scratch memory
    int sequences;        ///< 1 or more
    const int* starts;    ///< `sequences` numbers, 0 or more
    const int* first;     ///< `sequences` tokens
    int most_tokens;      ///< 1 or more
    int end_token;        ///< -1: there is no such token
    float temperature;    ///< 0 or more
    const float* random;  ///< sequences x most_tokens numbers, at least 0 and below 1: one for each token
    int*
        tokens;  ///< sequences x most_tokens: the new tokens, including the end token; the rest is not written
    int* counts;    ///< the numbers of new tokens
    int* newest;    ///< scratch: the newest token of each sequence
    int* done;      ///< scratch: whether each sequence is done
    float* logits;  ///< scratch: sequences x kVocabulary
    int* active;    ///< scratch: one number, the sequences that are not done
};

/// Builds an instance of a graph that generates the tokens of all sequences, and launches nothing. Each launch of the instance starts
/// again. One WHILE node repeats a round until all sequences are done. A sequence that is done writes nothing more.
///
/// If the temperature is 0, the next token is the one with the largest logit. Otherwise the probability of token t is
/// exp(logit(t) / temperature), divided by the sum of these numbers over all tokens. The next token is the first one for which the sum of
/// the probabilities, from token 0 to this one, is above the random number. An error of any CUDA call ends the program (CUDA_CHECK).
cudaGraphExec_t build_generator(const Generation& work);

/// Generates all tokens, with one graph launch and nothing else. Does not wait.
void generate(cudaGraphExec_t generator, cudaStream_t stream);

}  // namespace attention

// The contract of topic 08_scan: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

/// Topic 08: all partial sums of an array. Trees, blocks that depend on each other, places for kept elements.
///
/// The *inclusive* scan of a, b, c is a, a + b, a + b + c; the *exclusive* one is 0, a, a + b, where 0 is the
/// identity of the operation. Scans keep the order of the operands, so + need not be commutative.
///
/// Unless stated otherwise, every pointer is *device* memory, every function only launches (it may return before
/// the kernels have run), n is at most 2^30, the arrays of one call do not overlap, and an error of a launch
/// ends the program (CUDA_CHECK_LAUNCH). Sums of ints fit into an int.
///
/// Many threads share the work. A scan by a single thread is not a solution, even if the result is correct. A
/// block takes logarithmically many steps, with barriers or shuffles in between.
///
/// What is counted, besides the values (on the CPU backend):
///   - hillis_steele: additions, barriers, kernels, meetings of a block, stores
///   - blelloch: additions, bank conflicts, barriers, kernels, meetings of a block, stores
///   - brent_kung: additions, barriers, kernels, meetings of a block, stores
///   - multi_block: barriers, bytes copied, shuffles
///   - compact: blocks, kernels, share of one thread, threads
///   - single_pass: blocks, kernels
///   - radix_sort: blocks, share of one thread, threads
///
/// What the host may compute: nothing. Results count only if kernels have computed them.
namespace scan {

/// Threads per block. A power of two, and a whole number of warps.
constexpr int kBlock = 256;

/// Elements per tile if every thread takes two.
constexpr int kTile = 2 * kBlock;

/// Elements per tile if every thread takes four: multi_block and compact.
constexpr int kBlockTile = 4 * kBlock;

/// An element of several arrays that are scanned together: a sum that restarts where `starts` is not 0.
/// Its + is associative but not commutative, and Segmented{} is its identity.
struct Segmented {
    int sum;
    int starts;
};
__host__ __device__ inline Segmented operator+(Segmented before, Segmented after) {
    return {after.starts != 0 ? after.sum : before.sum + after.sum, before.starts | after.starts};
}

/// An int that counts its additions. Every addition on the device adds 1 to *additions. `chain` is the number of additions
/// that had to be performed one after another to compute this value. Counted{} is the identity.
struct Counted {
    int value;
    int chain;
    unsigned long long* additions;  ///< device memory; null only in the identity
};
__device__ inline Counted operator+(Counted before, Counted after) {
    unsigned long long* additions = before.additions != nullptr ? before.additions : after.additions;
    if (additions != nullptr) atomicAdd(additions, 1ull);
    const int longer = before.chain < after.chain ? after.chain : before.chain;
    return {before.value + after.value, longer + 1, additions};
}

/// Computes the inclusive scan of each tile of kBlock values separately: out[i] = in[first of its tile] + ... + in[i].
///
/// For stride = 1, 2, 4, ..., each step adds element t - stride to element t, if there is one. All steps use the same
/// array, so barriers must separate its reads from its writes. Defined for T = int, Segmented and
/// Counted; T{} is the identity.
///
/// @param in   n values, not modified
/// @param n    0 or more; for 0, nothing is launched, and that is not an error
/// @param out  n values, each written once
/// @note  log2(kBlock) steps; for kBlock = N elements, N log2(N) - (N - 1) additions, which is many
/// @note  W. D. Hillis, G. L. Steele, "Data parallel algorithms", 1986; P. M. Kogge, H. S. Stone, 1973
template <class T>
void hillis_steele(const T* in, int n, T* out);

/// Like hillis_steele, but with two arrays: each step reads one and writes the other, so it needs one barrier
/// per step.
///
/// @param in   n values, not modified
/// @param n    0 or more; for 0 nothing is launched
/// @param out  n values, each written once
template <class T>
void double_buffered(const T* in, int n, T* out);

/// Computes the exclusive scan of each tile of kTile values separately: builds a tree of sums upwards and then
/// walks it downwards. Defined for T = int, Segmented and Counted; T{} is the identity.
///
/// @param in   n values, not modified
/// @param n    0 or more; for 0 nothing is launched
/// @param out  n values, each written once; the first of each tile is T{}
/// @note  at most 2 (N - 1) additions for a tile of N, in 2 log2(N) steps
/// @note  G. E. Blelloch, "Prefix sums and their applications", 1990
template <class T>
void blelloch(const T* in, int n, T* out);

/// Like blelloch, but the tile is laid out by padded_place, so that no two lanes of a warp use the same bank.
///
/// @param in   n values, not modified
/// @param n    0 or more; for 0 nothing is launched
/// @param out  n values, each written once
template <class T>
void blelloch_padded(const T* in, int n, T* out);

/// Returns the place of element i of a tile of kTile ints in shared memory, counted in ints. In every step of both
/// sweeps, the lanes of a warp use places in different banks.
///
/// @param i  0 to kTile - 1
/// @return   different places for different i, which span at most kTile + kTile / 16 places
int padded_place(int i);

/// Computes the inclusive scan of each tile of kTile values separately, with fewer additions than the functions above.
/// Defined for T = int, Segmented and Counted. Needs no identity: a tile that is not full is not filled up, and
/// only existing elements are added.
///
/// @param in   n values, not modified
/// @param n    0 or more; for 0 nothing is launched
/// @param out  n values, each written once
/// @note  at most 2 N - 2 - log2(N) additions for a tile of N
/// @note  R. P. Brent, H. T. Kung, "A regular layout for parallel adders", 1982
template <class T>
void brent_kung(const T* in, int n, T* out);

/// Returns how many ints multi_block needs as scratch memory: one per tile, one per tile of those, and so on.
constexpr int multi_block_scratch(int n) {
    int total = 0;
    while (n > kBlockTile) {
        n = n / kBlockTile + (n % kBlockTile != 0 ? 1 : 0);
        total += n;
    }
    return total;
}

/// Computes the exclusive scan of all n values: scans the tiles, scans their sums, adds to each tile the sum of earlier tiles.
///
/// Within a tile, the warps scan with shuffles (a scan of cooperative groups consists of them), so that a block waits at a
/// barrier at most three times per tile.
///
/// @param in       n values, not modified
/// @param n        0 or more; for 0 nothing is launched. The sums of the tiles may themselves fill many tiles
/// @param out      n values, every one written
/// @param scratch  multi_block_scratch(n) values, undefined before and after the call
void multi_block(const int* in, int n, int* out, int* scratch);

/// Predicates for compact.
struct Positive {
    __host__ __device__ bool operator()(int value) const { return value > 0; }
};
struct MultipleOf {
    int divisor;  ///< 1 or more. A predicate may have state: pass it along, never construct a new one
    __host__ __device__ bool operator()(int value) const { return value % divisor == 0; }
};

/// Returns how many ints compact needs as scratch memory: one per tile of kBlockTile values.
constexpr int compact_scratch(int n) {
    return n / kBlockTile + (n % kBlockTile != 0 ? 1 : 0);
}

/// The middle part of compact by itself: replaces the counts of all tiles by their exclusive scan.
///
/// @param counts  `tiles` values; each is replaced by the sum of the values before it
/// @param tiles   0 to 2^20
/// @param count   one value: the sum of all counts
void scan_counts(int* counts, int tiles, int* count);

/// Keeps the elements that satisfy a predicate, in their order, and counts them. Uses at least one block
/// per tile of kBlockTile values. Defined for Predicate = Positive and MultipleOf.
///
/// @param in       n values, not modified
/// @param n        0 or more; for 0 the count is 0
/// @param keep     a function object, copied to the device
/// @param out      room for n values; the first *count are written, and none after them
/// @param count    one value
/// @param scratch  compact_scratch(n) values, undefined before and after the call
template <class Predicate>
void compact(const int* in, int n, Predicate keep, int* out, int* count, int* scratch);

// ---- single_pass ------------------------------------------------------------------------------------------

/// Elements per tile of single_pass, and therefore per block.
constexpr int kPassTile = 12288;

/// Elements that one warp of a block takes: twelve rows of 32 vectors.
constexpr int kPassSegment = kPassTile / 8;

/// Threads of a block.
constexpr int kPassThreads = 256;

/// What a block publishes about its tile: one word of 64 bits, so that it is read and written as a whole.
/// From the top: 30 bits call number, 2 bits status, 32 bits value.
using Word = unsigned long long;

enum class Status : unsigned int {
    none = 0,       ///< nothing is known yet
    aggregate = 1,  ///< value is the sum of this tile
    prefix = 2,     ///< value is the sum of this tile and all tiles before it
};

__host__ __device__ inline Word make_word(unsigned int call, Status status, int value) {
    return Word{call} << 34 | Word{static_cast<unsigned int>(status)} << 32 |
           static_cast<unsigned int>(value);
}
/// Returns the status of a word that was written in this call. A word of an earlier call has Status::none.
__host__ __device__ inline Status status_of(Word word, unsigned int call) {
    return word >> 34 == call ? static_cast<Status>(word >> 32 & 3) : Status::none;
}
__host__ __device__ inline int value_of(Word word) {
    return static_cast<int>(static_cast<unsigned int>(word));
}

/// Scratch memory of single_pass. The caller sets all of it to 0 once and may then use it for any number of
/// calls, one after another, even with different n.
struct PassWorkspace {
    Word* words;   ///< pass_words(largest n) words
    Word* ticket;  ///< lower half: tickets drawn, 0 before and after a call; upper half: calls so far
};

/// Returns how many words single_pass needs: one per tile, at least one.
constexpr int pass_words(int n) {
    return n <= kPassTile ? 1 : n / kPassTile + (n % kPassTile != 0 ? 1 : 0);
}

/// Computes the exclusive scan of all n values in one launch that reads and writes every element once. Blocks draw
/// their tiles with an atomic ticket. A block finds the sum of all earlier tiles by looking back at their words.
///
/// @param in         n values, not modified; aligned to 4 bytes, faster if aligned to 16
/// @param n          0 or more; for 0 nothing is launched
/// @param out        n values, every one written; aligned to 4 bytes, faster if aligned to 16
/// @param workspace  see PassWorkspace. The call number is the upper half of the ticket, modulo 2^30
/// @note  D. Merrill, M. Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016
/// @note  the goal: at least as fast as cub::DeviceScan::ExclusiveSum at 2^20 and 2^28 elements
void single_pass(const int* in, int n, int* out, PassWorkspace workspace);

/// The part of single_pass that polls, by itself: one warp gets the words of 32 tiles, as soon as all of them have been
/// published in this call.
///
/// Another block stores `late_word` to words[late] at some time. Until then, words[late] is from an older call.
///
/// @param words      one word per tile; all but words[late] are of call number `call`
/// @param nearest    -1 or more: lane l gets the word of tile nearest - l
/// @param call       number of this call
/// @param late       one of these tiles, or -1 if no word is late
/// @param late_word  the word that is stored there
/// @param told       32 words; a lane before tile 0 gets a prefix of 0
void ask_window(Word* words, int nearest, unsigned int call, int late, Word late_word, Word* told);

/// The part of single_pass that draws tickets, by itself: `blocks` blocks draw one ticket each, and the workspace is then
/// ready for the next call.
///
/// @param workspace  see PassWorkspace; words are not touched
/// @param blocks     1 or more
/// @param tiles      blocks * kPassThreads values: the tile that each thread gets, block by block
/// @param calls      blocks * kPassThreads values: the number of this call, modulo 2^30
void draw_tickets(PassWorkspace workspace, int blocks, int* tiles, unsigned int* calls);

/// The part of single_pass that scans a warp's elements in its registers, by itself: the exclusive scan of one segment.
///
/// @param in   kPassSegment values, not modified; aligned to 16 bytes
/// @param out  kPassSegment values, every one written; aligned to 16 bytes
/// @param sum  32 values, one per lane: the sum of the segment
void scan_segment(const int* in, int* out, int* sum);

/// The part of single_pass that looks back, by itself: one warp finds the sum of all tiles before `tile`.
///
/// Another block stores `late_word` to words[late] at some time. Until then, words[late] is from an older call and
/// counts as not published.
///
/// @param words      one word per tile; all but words[late] are of call number `call`
/// @param tile       0 or more: the number of words to look back at
/// @param call       number of this call
/// @param late       0 to tile - 1, or -1 if no word is late
/// @param late_word  the word that is stored there
/// @param exclusive  one value: the sum of tiles 0 to tile - 1
void look_back(Word* words, int tile, unsigned int call, int late, Word late_word, int* exclusive);

// ---- radix_sort -------------------------------------------------------------------------------------------

/// How many values a digit of four bits has.
constexpr int kDigits = 16;

__host__ __device__ inline int digit_of(unsigned int key, int shift) {
    return static_cast<int>(key >> shift & (kDigits - 1));
}

/// Returns how many ints sort_by_digit needs as scratch memory: one for each tile of kBlock keys and each digit.
constexpr int radix_scratch(int n) {
    return kDigits * (n / kBlock + (n % kBlock != 0 ? 1 : 0));
}

/// The first step of a pass: counts how many keys of each tile of kBlock keys have each digit.
///
/// @param in      n keys, not modified
/// @param n       1 to 2^24
/// @param shift   0, 4, 8, ... 28; the digit is bits shift to shift + 3
/// @param counts  radix_scratch(n) values, every one written: counts[digit * tiles + tile], where `tiles` is n / kBlock,
///                rounded up
void count_digits(const unsigned int* in, int n, int shift, int* counts);

/// One pass of radix sort: orders the keys by one digit. *Stable*: keys with the same digit keep their order. A key's place is
/// the number of keys with a smaller digit plus the number of earlier keys with the same digit. Uses at least one block per
/// tile of kBlock keys.
///
/// @param in       n keys, not modified
/// @param n        0 to 2^24; for 0 nothing happens
/// @param shift    0, 4, 8, ... 28; the digit is bits shift to shift + 3
/// @param out      n keys, every one written
/// @param scratch  radix_scratch(n) values, undefined before and after the call
void sort_by_digit(const unsigned int* in, int n, int shift, unsigned int* out, int* scratch);

/// Sorts keys that are in *host* memory on the device: allocates what it needs there, copies, sorts by each digit from the
/// lowest to the highest, copies back and frees everything. When it returns, the keys are sorted.
///
/// @param keys  *host* memory, n keys, replaced by the same keys in ascending order
/// @param n     0 to 2^24; for 0 nothing happens, and one key is sorted as it is
/// @note        an error of any call ends the program (CUDA_CHECK)
/// @note        Knuth, The Art of Computer Programming, volume 3, 5.2.5
void radix_sort(unsigned int* keys, int n);

}  // namespace scan

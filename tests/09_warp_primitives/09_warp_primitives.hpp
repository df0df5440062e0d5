// The contract of topic 09_warp_primitives: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Topic 09: how the lanes of a warp cooperate (shuffles, votes, aggregated atomics), and what divergence costs.
///
/// Unless stated otherwise, every pointer is *device* memory, every function only launches (it may return before
/// the kernels have run), an `int n` is at most 2^30, and an error of a launch ends the program
/// (CUDA_CHECK_LAUNCH).
///
/// What is counted, besides the values (on the CPU backend):
///   - port_shfl: kernels, loads, shared memory, stores
///   - ballot_compact: atomics, kernels, loads, shared memory, stores, votes
///   - aggregated_atomics: atomics, kernels, stores
///   - divergence: active lanes, divergent branches, kernels, predicted, stores
///
/// What the host may compute: nothing. Results count only if kernels have computed them.
namespace warp_primitives {

/// Lanes of a warp.
constexpr int kLanes = 32;

/// Threads per block, unless an exercise says otherwise: 8 warps.
constexpr int kBlock = 256;

// ---- port_shfl ----

/// Lanes of a tile in tile_maxima.
constexpr int kTile = 8;

/// Sums every 32 neighbours: sums[w] = in[32 * w] + ... + in[32 * w + 31] (fewer values in the last warp). One thread per element.
///
/// @param in    n values, not modified, each loaded once
/// @param n     0 or more; for 0 nothing is launched
/// @param sums  ceil(n / 32) values, each written once
void warp_sums(const int* in, int n, int* sums);

/// Subtracts from each value its left neighbour, within groups of 32: out[i] = in[i] - in[i - 1], and out[i] = in[i] if i is a
/// multiple of 32. One thread per element. Threads without an element may leave the kernel before the shuffle, or stay.
///
/// @param in   n values, not modified, each loaded once
/// @param n    0 or more; for 0 nothing is launched
/// @param out  n values, each written once
void differences(const int* in, int n, int* out);

/// Computes the maximum of every kTile neighbours and writes it to each of them: out[i] is the maximum of in[j] over all
/// j < n with j / kTile == i / kTile.
///
/// @param in   n values, not modified, each loaded once; any int, including INT_MIN
/// @param n    0 or more; for 0 nothing is launched
/// @param out  n values, each written once
void tile_maxima(const int* in, int n, int* out);

// ---- ballot_compact ----

/// Keeps the positive values of each row, in their order. Uses one warp per row, and one vote per 32 values.
///
/// @param in       rows * columns values, not modified, each loaded twice at most
/// @param rows     0 or more; for 0 nothing is launched
/// @param columns  0 or more; rows * columns is at most 2^30
/// @param out      rows * columns values: the values kept from row r start at out[r * columns], and each is
///                 written once; the rest of the row is not written
/// @param counts   rows values: the number of values kept from each row, 0 for an empty row
void ballot_compact(const int* in, int rows, int columns, int* out, int* counts);

// ---- aggregated_atomics ----

/// Keeps the positive values, in any order. An atomic counter gives each kept value its index. Uses one thread per element; each
/// warp adds to the counter at most once, however its lanes diverge. A warp that keeps no value may add 0, or not add at all.
///
/// @param in     n values, not modified
/// @param n      0 or more; for 0 the count is 0
/// @param out    n values: the first *count are the values kept, each written once; the others are not written
/// @param count  one value, undefined before the call
void keep_positive(const int* in, int n, int* out, unsigned int* count);

/// Does the same with one atomic addition per kept value. Given, for comparison.
///
/// @param in     n values, not modified
/// @param n      0 or more
/// @param out    n values
/// @param count  one value
void keep_positive_plain(const int* in, int n, int* out, unsigned int* count);

/// Adds each value to the sum of its key. Uses one thread per element; each warp adds once for every different key in it.
///
/// @param keys    n keys, not modified, each from 0 to key_count - 1
/// @param values  n values, not modified
/// @param n       0 or more
/// @param sums    key_count sums, undefined before the call; 0 for a key that does not occur
/// @param key_count  number of keys, 1 or more
void sum_by_key(const int* keys, const int* values, int n, int* sums, int key_count);

/// Does the same with one atomic addition per element. Given, for comparison.
///
/// @param keys    n keys, not modified
/// @param values  n values, not modified
/// @param n       0 or more
/// @param sums    key_count sums
/// @param key_count  how many keys there are
void sum_by_key_plain(const int* keys, const int* values, int n, int* sums, int key_count);

/// Counts how many times each key occurs. Uses one thread per element; each warp adds once for every different key in it.
///
/// @param keys    n keys, not modified, each from 0 to key_count - 1
/// @param n       0 or more
/// @param counts  key_count counts, undefined before the call
/// @param key_count  number of keys, 1 or more
void count_by_key(const int* keys, int n, unsigned int* counts, int key_count);

// ---- divergence ----

/// Steps of a walk, and number of values in the table.
constexpr int kSteps = 64;
constexpr int kTable = 256;

/// Consecutive values that a warp of by_value examines.
constexpr int kStretch = 512;

/// Long work of the first kind: each step reads the table. Given; call it unchanged.
///
/// @param table  kTable values
/// @param x      where the walk begins
/// @return where it ends
__host__ __device__ inline std::uint32_t climb(const std::uint32_t* table, std::uint32_t x) {
    for (int step = 0; step < kSteps; ++step) x = x * 1664525u + table[x >> 24];
    return x;
}
/// Long work of the second kind. Given; call it unchanged.
///
/// @param table  kTable values
/// @param x      where the walk begins
/// @return where it ends
__host__ __device__ inline std::uint32_t fall(const std::uint32_t* table, std::uint32_t x) {
    for (int step = 0; step < kSteps; ++step) x = (x ^ table[x & 255]) * 2654435769u;
    return x;
}

/// Returns whether a value needs long work. In the tests of by_value, one value in four does.
///
/// @param x  the value
__host__ __device__ inline bool is_long(std::uint32_t x) {
    return x % 4 == 0;
}

/// Work of one thread: which of two loops it runs, and how many times.
struct ThreadWork {
    int kind;   ///< 0 or 1: the branch of an `if` that the thread takes; each branch has one loop
    int trips;  ///< iterations of that loop, 0 or more
};

/// Work of all warps of a launch.
struct WarpWork {
    std::int64_t
        issued;  ///< iterations that warps execute: for each kind, a warp iterates as long as any of its lanes
    std::int64_t lanes;  ///< iterations that threads execute: the active lanes, summed over all `issued`
};

/// Predicts the work of a launch. Runs on the host: thread t is lane t % 32 of warp t / 32.
///
/// @param threads  n, host memory
/// @param n        0 or more; the last warp may have fewer than 32 threads
/// @return the sums over all warps
WarpWork warp_work(const ThreadWork* threads, int n);

/// Computes out[i] = climb(table, in[i]) if i is even, and fall(table, in[i]) if i is odd. All lanes of a warp take the same branch.
///
/// @param in     n values, not modified
/// @param n      0 or more; for 0 nothing is launched
/// @param table  kTable values, not modified
/// @param out    n values, each written once: the lanes share the work
void by_position(const std::uint32_t* in, int n, const std::uint32_t* table, std::uint32_t* out);

/// Does the same, but thread i processes element i: in each warp, 16 lanes climb and 16 fall. Given, for comparison.
///
/// @param in     n values, not modified
/// @param n      0 or more
/// @param table  kTable values, not modified
/// @param out    n values, every one written
void by_position_slow(const std::uint32_t* in, int n, const std::uint32_t* table, std::uint32_t* out);

/// Computes out[i] = is_long(in[i]) ? climb(table, in[i]) : in[i]. Each warp examines kStretch consecutive values, and processes
/// those that need long work together, 32 at a time.
///
/// @param in     n values, not modified
/// @param n      0 or more; for 0 nothing is launched
/// @param table  kTable values, not modified
/// @param out    n values, each written once: the lanes share the work
void by_value(const std::uint32_t* in, int n, const std::uint32_t* table, std::uint32_t* out);

/// Does the same, but thread i processes element i: a warp climbs for the few of its lanes that need it. Given, for comparison.
///
/// @param in     n values, not modified
/// @param n      0 or more
/// @param table  kTable values, not modified
/// @param out    n values, every one written
void by_value_slow(const std::uint32_t* in, int n, const std::uint32_t* table, std::uint32_t* out);

}  // namespace warp_primitives

// The contract of topic 09_warp_primitives: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Topic 09: what the lanes of a warp can do together, and what it costs when they go different ways.
///
/// Unless said otherwise every pointer is *device* memory, every function only launches (it may return before
/// the kernels have run), an `int n` is at most 2^30, and an error of a launch ends the program
/// (CUDA_CHECK_LAUNCH).
///
/// What is counted, besides the values (by the CPU backend, which sees it):
///   - port_shfl: kernels, loads, shared memory, stores
///   - ballot_compact: kernels, loads, shared memory, stores, atomics, votes
///   - aggregated_atomics: atomics, kernels, stores
///   - divergence: active lanes, divergent branches, kernels, predicted, stores
///
/// What the host may compute: nothing. Results count only if kernels have computed them.
namespace warp_primitives {

/// Lanes of a warp.
constexpr int kLanes = 32;

/// Threads per block, where an exercise does not say otherwise: 8 warps.
constexpr int kBlock = 256;

// ---- port_shfl ----

/// Lanes of a tile in tile_maxima.
constexpr int kTile = 8;

/// Sums each 32 neighbours: sums[w] = in[32 * w] + ... + in[32 * w + 31] (fewer in the last warp). One thread per element.
///
/// @param in    n values, not modified, each loaded once
/// @param n     0 or more; for 0 nothing is launched
/// @param sums  ceil(n / 32) values, each written once
void warp_sums(const int* in, int n, int* sums);

/// The difference from the neighbour on the left, within each 32: out[i] = in[i] - in[i - 1], and out[i] = in[i] where i is
/// a multiple of 32. One thread per element. Threads without an element may leave the kernel before the shuffle, or stay.
///
/// @param in   n values, not modified, each loaded once
/// @param n    0 or more; for 0 nothing is launched
/// @param out  n values, each written once
void differences(const int* in, int n, int* out);

/// The largest of each kTile neighbours, told to all of them: out[i] is the maximum of in[j] over all j < n with
/// j / kTile == i / kTile.
///
/// @param in   n values, not modified, each loaded once; any int, the smallest one too
/// @param n    0 or more; for 0 nothing is launched
/// @param out  n values, each written once
void tile_maxima(const int* in, int n, int* out);

// ---- ballot_compact ----

/// Keeps the positive values of each row, in their order: one warp per row, one vote per 32 values.
///
/// @param in       rows * columns values, not modified, each loaded twice at most
/// @param rows     0 or more; for 0 nothing is launched
/// @param columns  0 or more; rows * columns is at most 2^30
/// @param out      rows * columns values: those kept of row r begin at out[r * columns]; each of them
///                 is written once, and what lies behind them is not written
/// @param counts   rows values: how many are kept, 0 for an empty row
void ballot_compact(const int* in, int rows, int columns, int* out, int* counts);

// ---- aggregated_atomics ----

/// Keeps the positive values, in any order: an atomic counter says where. One thread per element; each warp adds to the
/// counter at most once, however its lanes run. A warp that keeps no value may add 0, or not add at all.
///
/// @param in     n values, not modified
/// @param n      0 or more; for 0 the count is 0
/// @param out    n values: the first *count are those kept, each written once; what lies behind them is not written
/// @param count  one value, undefined before the call
void keep_positive(const int* in, int n, int* out, unsigned int* count);

/// The same with one atomic addition per kept value. Given, for comparison.
///
/// @param in     n values, not modified
/// @param n      0 or more
/// @param out    n values
/// @param count  one value
void keep_positive_plain(const int* in, int n, int* out, unsigned int* count);

/// Adds each value to the sum of its key. One thread per element; each warp adds once per different key that it has.
///
/// @param keys    n keys, not modified, each from 0 to key_count - 1
/// @param values  n values, not modified
/// @param n       0 or more
/// @param sums    key_count sums, undefined before the call; 0 for a key that does not occur
/// @param key_count  how many keys there are, 1 or more
void sum_by_key(const int* keys, const int* values, int n, int* sums, int key_count);

/// The same with one atomic addition per element. Given, for comparison.
///
/// @param keys    n keys, not modified
/// @param values  n values, not modified
/// @param n       0 or more
/// @param sums    key_count sums
/// @param key_count  how many keys there are
void sum_by_key_plain(const int* keys, const int* values, int n, int* sums, int key_count);

// ---- divergence ----

/// Steps of a walk, and what the table has.
constexpr int kSteps = 64;
constexpr int kTable = 256;

/// Values that a warp of by_value looks through: a stretch of neighbours.
constexpr int kStretch = 512;

/// Long work of one kind, given, and used as it is: each step reads the table.
///
/// @param table  kTable values
/// @param x      where the walk begins
/// @return where it ends
__host__ __device__ inline std::uint32_t climb(const std::uint32_t* table, std::uint32_t x) {
    for (int step = 0; step < kSteps; ++step) x = x * 1664525u + table[x >> 24];
    return x;
}
/// Long work of another kind, likewise.
///
/// @param table  kTable values
/// @param x      where the walk begins
/// @return where it ends
__host__ __device__ inline std::uint32_t fall(const std::uint32_t* table, std::uint32_t x) {
    for (int step = 0; step < kSteps; ++step) x = (x ^ table[x & 255]) * 2654435769u;
    return x;
}

/// Does a value need long work? In by_value one of four does.
///
/// @param x  the value
__host__ __device__ inline bool is_long(std::uint32_t x) {
    return x % 4 == 0;
}

/// What one thread does: which of two loops, and how often around.
struct ThreadWork {
    int kind;   ///< 0 or 1: two branches of an `if`, with a loop in each
    int trips;  ///< 0 or more
};

/// What the warps of a launch do.
struct WarpWork {
    std::int64_t
        issued;  ///< trips that warps make: a warp goes around as long as one of its lanes does, for each kind
    std::int64_t lanes;  ///< trips that threads make: the lanes that are active in these, added up
};

/// Predicts the work of a launch, on the host: thread t is lane t % 32 of warp t / 32.
///
/// @param threads  n, host memory
/// @param n        0 or more; the last warp may be ragged
/// @return what all warps issue, together
WarpWork warp_work(const ThreadWork* threads, int n);

/// out[i] = climb(table, in[i]) where i is even, fall(table, in[i]) where it is odd; all lanes of a warp go the same way.
///
/// @param in     n values, not modified
/// @param n      0 or more; for 0 nothing is launched
/// @param table  kTable values, not modified
/// @param out    n values, each written once: the lanes share the work
void by_position(const std::uint32_t* in, int n, const std::uint32_t* table, std::uint32_t* out);

/// The same, and thread i has element i: in each warp 16 lanes go one way and 16 the other. Given, for comparison.
///
/// @param in     n values, not modified
/// @param n      0 or more
/// @param table  kTable values, not modified
/// @param out    n values, every one written
void by_position_slow(const std::uint32_t* in, int n, const std::uint32_t* table, std::uint32_t* out);

/// out[i] = is_long(in[i]) ? climb(table, in[i]) : in[i]. Each warp looks through kStretch neighbours, and does the long ones
/// together, 32 at a time.
///
/// @param in     n values, not modified
/// @param n      0 or more; for 0 nothing is launched
/// @param table  kTable values, not modified
/// @param out    n values, each written once: the lanes share the work
void by_value(const std::uint32_t* in, int n, const std::uint32_t* table, std::uint32_t* out);

/// The same, and thread i has element i: a warp climbs for the few of its lanes that must. Given, for comparison.
///
/// @param in     n values, not modified
/// @param n      0 or more
/// @param table  kTable values, not modified
/// @param out    n values, every one written
void by_value_slow(const std::uint32_t* in, int n, const std::uint32_t* table, std::uint32_t* out);

}  // namespace warp_primitives

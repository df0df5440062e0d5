// The contract of topic 12_l2_cache: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

/// Topic 12: which lines stay in the L2 cache, which lines never need to reach memory, and how to reset the cache.
///
/// Cache hints do not change results, so correct values prove little. The tests therefore also count.
///
/// What is counted, besides the values (by the CPU backend, which keeps every hint):
///   - access_window: kernels, resets, streams, windows
///   - annotated_sweep: accesses, kernels, lines discarded, persisting accesses, persisting lines, streaming accesses
///   - reset: kernels, persisting lines, windows
///
/// What the host may compute: nothing. Results count only if kernels have computed them.
///
/// A function destroys every event, stream and other object that it creates for its own use. An error of a launch ends the program
/// (CUDA_CHECK_LAUNCH).
namespace l2_cache {

// ---- access_window ----

/// Sets aside a part of the L2 cache for persisting lines.
///
/// @param bytes  the requested size
/// @return the size that the device reports after the request: at most persistingL2CacheMaxSize, and perhaps rounded. All other
///         lines use the rest of the cache. On a device without support, the function requests nothing and returns 0.
std::size_t set_aside(std::size_t bytes);

/// Returns the window for an array that is read many times while other data streams through the cache.
///
/// @param base   device memory: the array
/// @param bytes  size of the array
/// @param aside  bytes of L2 that are set aside
/// @return a window over the array or, if the array is larger than accessPolicyMaxWindowSize, over its first part. Accesses
///         that hit persist, and those that miss stream. The hit ratio is chosen so that the persisting lines fit into the part
///         that is set aside: at most 1, and 0 for a window of 0 bytes.
cudaAccessPolicyWindow window_for(void* base, std::size_t bytes, std::size_t aside);

/// Looks up `n` keys: out[i] = table[keys[i]], under a window over the table.
///
/// The kernel runs in `stream`, under the window that window_for returns for the table and for the size that is set aside *now*
/// (cudaLimitPersistingL2CacheSize). The window is an attribute of this launch, or of the stream while the kernel is launched. On
/// return, the window of the stream has 0 bytes, so that later kernels do not run under it; a ratio of 0 is not enough. The kernel
/// may still be running. The function does not reset the lines: they stay in the cache for the next call.
///
/// @param table    device memory, `entries` floats, not modified
/// @param entries  1 or more
/// @param keys     device memory, n numbers below `entries`, not modified
/// @param n        0 or more; for 0 nothing is launched
/// @param out      device memory, n floats, every one of them written
/// @param stream   any stream except the default streams
void look_up(const float* table, std::size_t entries, const unsigned* keys, std::size_t n, float* out,
             cudaStream_t stream);

// ---- annotated_sweep ----

/// Elements of a line of the L2 cache: 128 bytes.
constexpr int kLine = 32;

/// A stack of planes. Element x of plane z is at z * pitch + x. A column is all elements with the same x. The distance between
/// planes is a whole number of lines, and each array starts at the beginning of a line.
struct Stack {
    int columns;  ///< 1 or more
    int pitch;    ///< distance between planes, in elements: a multiple of kLine, at least `columns`
    int planes;   ///< 0 or more
    /// Returns the size of each array in elements, including the unused elements between `columns` and `pitch`.
    std::size_t elements() const {
        return static_cast<std::size_t>(pitch) * static_cast<std::size_t>(planes);
    }
};

/// Sweeps over every column twice, first upwards and then downwards:
///
///   scratch[z] = in[z] + a * scratch[z - 1]    for z = 0, 1, ..., planes - 1, where scratch[-1] counts as 0
///   out[z] = scratch[z] + a * out[z + 1]       for z = planes - 1, ..., 1, 0, where out[planes] counts as 0
///
/// Uses no cache hints. Given, for comparison.
///
/// @param in       device memory, stack.elements() floats, not modified
/// @param scratch  device memory, stack.elements() floats, undefined after the call
/// @param out      device memory, stack.elements() floats; the elements between `columns` and `pitch` are not written
/// @param stack    the shape of all three
/// @param a        factor, between -1 and 1
void plain_sweep(const float* in, float* scratch, float* out, const Stack& stack, float a);

/// Does the same with cache hints. `in` and `out` are accessed once per element, with streaming accesses. `scratch` is written and
/// read once per element, with persisting accesses. After the downward sweep has read a line of `scratch`, it discards the line, so
/// that the line is never written to memory. It discards every line that holds columns, as a whole and once.
///
/// The caller decides how much of L2 is set aside.
///
/// @param in       device memory, stack.elements() floats, not modified
/// @param scratch  device memory, stack.elements() floats, undefined after the call
/// @param out      device memory, stack.elements() floats; the elements between `columns` and `pitch` are not written
/// @param stack    the shape of the three arrays
/// @param a        factor, between -1 and 1
void annotated_sweep(const float* in, float* scratch, float* out, const Stack& stack, float a);

// ---- reset ----

/// Adds the results of `rounds` look-ups and scales the sum: out[i] = factor * (table[keys[0][i]] + ... + table[keys[rounds - 1][i]]).
///
/// Each round is one kernel, which runs under a window over the table, with as much of L2 set aside as the table needs. If the
/// table is larger than a window can be (cudaDevAttrMaxAccessPolicyWindowSize), the window covers its beginning. The last kernel
/// scales and needs neither. On return all work is done and the cache is as before the call: the window of the stream has
/// 0 bytes, no line persists, and the same size is set aside as before the call.
///
/// @param table    device memory, `entries` floats, not modified
/// @param entries  1 or more
/// @param keys     device memory, rounds * n numbers below `entries`, round by round, not modified
/// @param rounds   1 or more
/// @param n        1 or more
/// @param factor   multiplied with each sum
/// @param out      device memory, n floats, every one written
/// @param stream   any stream except the default streams; the scaling kernel runs in it, too. On return all its work is done
void look_up_and_scale(const float* table, std::size_t entries, const unsigned* keys, int rounds,
                       std::size_t n, float factor, float* out, cudaStream_t stream);

}  // namespace l2_cache

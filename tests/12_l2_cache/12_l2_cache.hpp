// The contract of topic 12_l2_cache: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

/// Topic 12: lines of the L2 cache that stay, lines that need not come back, and leaving the cache as it was.
///
/// Hints change no result, so the values prove little.
///
/// What is counted, besides the values (by the CPU backend, which keeps every hint):
///   - access_window: kernels, resets, streams, windows
///   - annotated_sweep: accesses, kernels, persisting accesses, streaming accesses, lines discarded, persisting lines
///   - reset: kernels, windows, persisting lines
///
/// What the host may compute: nothing. Results count only if kernels have computed them.
///
/// What a function makes for itself, such as an event or a stream, it also destroys.
namespace l2_cache {

// ---- access_window ----

/// Sets a part of the L2 cache aside for lines that persist.
///
/// @param bytes  how much would be good to have
/// @return how much there is now, as the device says after it was asked: at most persistingL2CacheMaxSize, and perhaps
///         rounded. The rest of the cache is for all other lines. A device without such a part has 0, and is asked nothing.
std::size_t set_aside(std::size_t bytes);

/// The window for an array that is read again and again, while other data streams by.
///
/// @param base   device memory
/// @param bytes  of the array
/// @param aside  bytes of L2 that are set aside
/// @return a window over the array or, if it is too large for one (accessPolicyMaxWindowSize), over its beginning. Accesses
///         that hit persist, those that miss stream. The ratio of hits is such that what persists has room in what is set
///         aside: at most 1, and 0 for a window of no bytes.
cudaAccessPolicyWindow window_for(void* base, std::size_t bytes, std::size_t aside);

/// Looks up `n` keys: out[i] = table[keys[i]], under a window over the table.
///
/// The kernel runs in `stream`, with the window that window_for makes for the table and for what is set aside *now*
/// (cudaLimitPersistingL2CacheSize). The window is an attribute of this launch, or of the stream while the kernel is launched. On
/// return the window of the stream has 0 bytes, so that later kernels do not run under it; a ratio of 0 is not enough. The kernel
/// may still be running. The lines stay as they are, for the next call: nothing resets them.
///
/// @param table    device memory, `entries` floats, not modified
/// @param entries  1 or more
/// @param keys     device memory, n numbers below `entries`, not modified
/// @param n        0 or more; for 0 nothing is launched
/// @param out      device memory, n floats, every one of them written
/// @param stream   any stream but the default ones
void look_up(const float* table, std::size_t entries, const unsigned* keys, std::size_t n, float* out,
             cudaStream_t stream);

// ---- annotated_sweep ----

/// Elements of a line of the L2 cache: 128 bytes.
constexpr int kLine = 32;

/// A stack of planes. Element x of plane z is at z * pitch + x, and a column is all elements with the same x. Planes are
/// a whole number of lines apart, and each array begins at the beginning of a line.
struct Stack {
    int columns;  ///< 1 or more
    int pitch;    ///< elements from plane to plane: a multiple of kLine, at least `columns`
    int planes;   ///< 0 or more
    /// Of each of the arrays, with what lies between `columns` and `pitch`.
    std::size_t elements() const {
        return static_cast<std::size_t>(pitch) * static_cast<std::size_t>(planes);
    }
};

/// Two sweeps over every column, one up and one down:
///
///   scratch[z] = in[z] + a * scratch[z - 1]    for z = 0, 1, ..., planes - 1, where scratch[-1] counts as 0
///   out[z] = scratch[z] + a * out[z + 1]       for z = planes - 1, ..., 1, 0, where out[planes] counts as 0
///
/// Without any hints. Given, for comparison.
///
/// @param in       device memory, stack.elements() floats, not modified
/// @param scratch  device memory, stack.elements() floats; what is in it afterwards is nobody's business
/// @param out      device memory, stack.elements() floats; the columns are written, what lies between `columns` and `pitch` is not
/// @param stack    the shape of all three
/// @param a        factor, between -1 and 1
void plain_sweep(const float* in, float* scratch, float* out, const Stack& stack, float a);

/// The same with all hints that there are. `in` and `out` are touched once each, as streaming accesses; `scratch` is written and
/// read once each, as persisting ones; and each line of `scratch` that holds columns is discarded when the way down has
/// read it, so that it is never written to memory. Whole lines, each once.
///
/// How much is set aside is the caller's business.
///
/// @param in       device memory, stack.elements() floats, not modified
/// @param scratch  device memory, stack.elements() floats, which have no value afterwards
/// @param out      device memory, stack.elements() floats; the columns are written, what lies between `columns` and `pitch` is not
/// @param stack    the shape of all three
/// @param a        factor, between -1 and 1
void annotated_sweep(const float* in, float* scratch, float* out, const Stack& stack, float a);

// ---- reset ----

/// Adds up look-ups, `rounds` times, and scales: out[i] = factor * (table[keys[0][i]] + ... + table[keys[rounds - 1][i]]).
///
/// The rounds are kernels that run under a window over the table, with as much of L2 set aside as the table needs. If the table is
/// larger than a window can be (cudaDevAttrMaxAccessPolicyWindowSize), the window covers its beginning. The last
/// kernel, which scales, needs neither. On return everything is done, and the cache is as it was before: no window in the
/// stream (its window has 0 bytes), no persisting line, and as much set aside as before the call.
///
/// @param table    device memory, `entries` floats, not modified
/// @param entries  1 or more
/// @param keys     device memory, rounds * n numbers below `entries`, round by round, not modified
/// @param rounds   1 or more
/// @param n        1 or more
/// @param factor   what is scaled with
/// @param out      device memory, n floats, every one of them written
/// @param stream   any stream but the default ones; on return all its work is done. The scaling kernel runs in it, too
void look_up_and_scale(const float* table, std::size_t entries, const unsigned* keys, int rounds,
                       std::size_t n, float factor, float* out, cudaStream_t stream);

}  // namespace l2_cache

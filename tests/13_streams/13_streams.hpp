// The contract of topic 13_streams: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

/// Topic 13: streams. Copies that overlap with kernels, events between streams, stream-ordered memory, host functions.
///
/// Unless stated otherwise, pointers are *device* memory, sizes are at least 1, and an error of a CUDA call ends the program
/// (CUDA_CHECK). Streams are non-blocking. The caller provides streams and events. A function destroys everything that it creates.
///
/// What is counted, besides the values (on the CPU backend; the first also on a GPU):
///   - overlap: pinned memory, steps, waits
///   - dependencies: steps, waits
///   - stream_allocation: steps, waits
///   - host_function: host functions, leaks, waits
///
/// What the host may compute: nothing. Results count only if kernels have computed them.
///
/// *Steps* describe a device that has room for everything: each copy, kernel and host function takes one step, and it starts as
/// soon as all operations that it depends on have finished. In each step, there is at most one copy to the device and one copy to
/// the host. Only streams, events and waits determine the number of steps.
namespace streams {

/// Threads per block of every kernel of the topic.
constexpr int kBlock = 256;

// ---- overlap ----

/// Number of chunks in flight at the same time.
constexpr int kLanes = 3;

/// Values in *host* memory that are copied to the device and back.
struct Channel {
    unsigned int* in = nullptr;   ///< n values
    unsigned int* out = nullptr;  ///< n values
    int n = 0;
};

/// A stream, and device memory for one chunk.
struct Lane {
    cudaStream_t stream;
    unsigned int* values;  ///< `chunk` values
};

/// v1: processes all chunks in one lane, one after another. Given, for comparison.
void one_lane(const Channel& channel, int chunk, int rounds, const Lane& lane);

/// Allocates both arrays of a channel in pinned memory, so that their copies can overlap with kernels and with other copies.
Channel open_channel(int n);

/// Frees both arrays of a channel.
void close_channel(Channel& channel);

/// Applies x = 1664525 x + 1013904223 `rounds` times to each value: out[i] is the result for in[i]. Works in chunks of `chunk` values;
/// the last chunk may be smaller. While one chunk is computed, the next chunk is copied to the device and the previous one to the
/// host: m chunks take m + 2 steps (up to m + 4 are allowed).
///
/// Returns when all of channel.out has been written. Waits at most as many times as there are lanes, and for no other work on the device.
///
/// @param channel  from open_channel; `in` is not modified
/// @param chunk    1 or more; the memory of each lane has room for `chunk` values
/// @param rounds   0 or more
/// @param lanes    their streams are empty
void process(const Channel& channel, int chunk, int rounds, const Lane (&lanes)[kLanes]);

/// Returns the number of chunks m, 1 or more, for which the m + 2 steps of `process` take the least time. A step takes
/// `per_chunk + work / m`: a fixed time for queueing and starting it, and the time of its share of the data. Host code.
///
/// @param work       time to copy in, or to compute, or to copy out all values in one piece; 0 or more
/// @param per_chunk  more than 0, in the same unit; work / per_chunk is less than 10^8
int best_chunks(double work, double per_chunk);

// ---- dependencies ----

/// Two buffers between a producer and a consumer.
struct Exchange {
    const unsigned int* seed;  ///< n values, not modified
    unsigned int* slot[2];     ///< n values each: scratch memory; round r goes through slot[r % 2]
    unsigned int* out;         ///< n values: changed by each round
    int n;
};

/// Two streams and some events. The caller does not use them for anything else.
struct Stages {
    cudaStream_t producer, consumer;
    cudaEvent_t begin, end, filled[2], emptied[2];
};

/// v3: runs all rounds in one stream, through slot[0]. Given, for comparison.
void in_a_row(const Exchange& exchange, int rounds, cudaStream_t stream);

/// Queues the rounds 0, 1, ... and does not wait. In each round, `produce` (given) fills a slot in the producer stream, and `consume`
/// (given) adds the slot to `out` in the consumer stream. One slot is filled while the other is read: m rounds take m + 1 steps.
///
/// All this work runs after the work that is in `caller` before the call, and before the work that the caller queues there afterwards.
///
/// @param exchange  need not outlive the call, but the memory it points to is valid until the streams have finished
/// @param rounds    0 or more
/// @param stages    its streams are empty
/// @param caller    different from both streams of `stages`
void run_rounds(const Exchange& exchange, int rounds, const Stages& stages, cudaStream_t caller);

// ---- stream_allocation ----

/// Lets the default memory pool of device 0 keep up to `bytes` bytes of freed memory when the host waits, instead of returning it to
/// the driver.
void keep_memory(unsigned long long bytes);

/// v5: does the same as smooth(), with cudaMalloc and cudaFree. Given, for comparison.
void smooth_and_wait(const int* in, int* out, int n, cudaStream_t stream);

/// Computes out[i] = s[i] + s[(i + 1) % n] with s[i] = in[i] + in[(i + 1) % n]: runs the kernel `neighbours` (given) twice.
///
/// Queues the work and does not wait. `s` is allocated and freed in stream order.
///
/// @param in      n values, not modified
/// @param out     n values
/// @param n       1 or more
/// @param stream  a stream of device 0
void smooth(const int* in, int* out, int n, cudaStream_t stream);

/// Events for combine_both. The caller owns them.
struct Meeting {
    cudaEvent_t forked, joined;
};

/// Computes out[i] = 7 * l[i] - r[i], where l and r are the sums of neighbours in `left` and `right`: l[i] = left[i] + left[(i + 1) % n].
///
/// Queues the work and does not wait. l is computed in `main` and r in `side`, at the same time; then `combine` (given) computes out in
/// `main`: 2 steps. l and r are allocated and freed in the order of these streams. All this work runs after the work that is in
/// `main` before the call, and before the work that is queued there afterwards.
void combine_both(const int* left, const int* right, int* out, int n, cudaStream_t main, cudaStream_t side,
                  const Meeting& meeting);

// ---- host_function ----

/// Batches of n values each, stored one after another.
struct Batches {
    const int* in;  ///< batches * n values, not modified
    int n;
    int batches;
    unsigned long long* totals;       ///< one for each batch; the contents before the call do not matter
    unsigned long long* host_totals;  ///< one for each batch, in pinned *host* memory
    /// Receives the number of a batch and its total.
    void (*tell)(void* context, int batch, unsigned long long total);
    /// Is passed to `tell`, and means nothing else to this function.
    void* context;
};

/// v8: does the same as sum_batches(), but the host waits for each batch. Given, for comparison.
void sum_and_wait(const Batches& batches, cudaStream_t stream);

/// Queues three operations for each batch and does not wait: its sum (`add_up`, given), the copy of its total to host_totals, and a
/// host function that calls tell(context, batch, host_totals[batch]). `tell` is called once for each batch, in order.
///
/// @param batches  need not outlive the call, but the memory it points to is valid until the stream has finished
/// @param stream   any stream
void sum_batches(const Batches& batches, cudaStream_t stream);

}  // namespace streams

// The contract of topic 13_streams: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

/// Topic 13: work that is queued. Copies beside kernels, events between streams, memory in the order of a stream, host functions.
///
/// Unless said otherwise pointers are *device* memory, sizes are at least 1, and an error of a CUDA call ends the program
/// (CUDA_CHECK). Streams are non-blocking and come from the caller, as do events. What a function makes it destroys.
///
/// What is counted, besides the values (by the CPU backend, which sees it; the first on a GPU, too):
///   - overlap: pinned memory, waits, steps
///   - dependencies: waits, steps
///   - stream_allocation: waits, steps
///   - host_function: host functions, leaks, waits
///
/// What the host may compute: nothing. Results count only if kernels have computed them.
///
/// *Steps* are those of a device with room for everything: each copy, kernel and host function takes one step, it begins as soon as
/// all that it comes after has ended, and in a step there is one copy to the device and one to the host at most. They follow from
/// streams, events and waits alone.
namespace streams {

/// Threads per block of every kernel of the topic.
constexpr int kBlock = 256;

// ---- overlap ----

/// How many chunks are under way at once.
constexpr int kLanes = 3;

/// Values in *host* memory, on their way to the device and back.
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

/// v1: all chunks by way of one lane, one after another (given, for comparison).
void one_lane(const Channel& channel, int chunk, int rounds, const Lane& lane);

/// Allocates both arrays of a channel, as memory that copies of other streams and kernels can overlap with: pinned.
Channel open_channel(int n);

/// Frees them.
void close_channel(Channel& channel);

/// out[i] is in[i] after `rounds` times x = 1664525 x + 1013904223, for all values, in chunks of the size given; the last chunk may be
/// smaller. While one chunk is computed, the next one is copied to the device and the one before to the host: m chunks
/// take m + 2 steps (up to m + 4 are allowed).
///
/// Waits until all of channel.out is there, with no more waits than lanes, and for nothing else on the device.
///
/// @param channel  from open_channel; `in` is not modified
/// @param chunk    1 or more; the lanes' memory is for so many values
/// @param rounds   0 or more
/// @param lanes    nothing is queued in their streams
void process(const Channel& channel, int chunk, int rounds, const Lane (&lanes)[kLanes]);

// ---- dependencies ----

/// Two buffers between a producer and a consumer.
struct Exchange {
    const unsigned int* seed;  ///< n values, not modified
    unsigned int* slot[2];     ///< n values each: scratch memory; round r goes through slot[r % 2]
    unsigned int* out;         ///< n values: changed by each round
    int n;
};

/// Two streams, and events, none of which the caller uses for anything else.
struct Stages {
    cudaStream_t producer, consumer;
    cudaEvent_t begin, end, filled[2], emptied[2];
};

/// v3: all rounds in one stream, by way of slot[0] (given, for comparison).
void in_a_row(const Exchange& exchange, int rounds, cudaStream_t stream);

/// Queues the rounds 0, 1, ... and does not wait: in each of them `produce` fills a slot in the one stream, and `consume` adds it to
/// `out` in the other (given). A slot is filled while the other one is read: m rounds take m + 1 steps.
///
/// All of it comes after what the caller has queued in `caller` before the call, and before what he queues there afterwards.
///
/// @param exchange  ends when the function returns; what its pointers point to lives until the streams are done
/// @param rounds    0 or more
/// @param stages    nothing is queued in its streams
/// @param caller    another stream than the two
void run_rounds(const Exchange& exchange, int rounds, const Stages& stages, cudaStream_t caller);

// ---- stream_allocation ----

/// The default memory pool of device 0 keeps up to so many bytes of freed memory when the host waits, instead of giving them back
/// to the driver.
void keep_memory(unsigned long long bytes);

/// v5: the same as smooth(), with cudaMalloc and cudaFree (given, for comparison).
void smooth_and_wait(const int* in, int* out, int n, cudaStream_t stream);

/// out[i] = s[i] + s[(i + 1) % n] with s[i] = in[i] + in[(i + 1) % n]: `neighbours` (given) twice.
///
/// Queues, and does not wait. `s` is memory that is allocated and freed in the order of the stream.
///
/// @param in      n values, not modified
/// @param out     n values
/// @param n       1 or more
/// @param stream  of device 0
void smooth(const int* in, int* out, int n, cudaStream_t stream);

/// Events for the function below; the caller owns them.
struct Meeting {
    cudaEvent_t forked, joined;
};

/// out[i] = 7 * l[i] - r[i], with l and r the sums of neighbours of `left` and `right`: l[i] = left[i] + left[(i + 1) % n].
///
/// Queues, and does not wait: l is computed in `main`, r in `side` at the same time, out in `main` by `combine` (given): 2 steps. Both
/// l and r are memory allocated and freed in the order of these streams. All of it comes after what was queued in `main`
/// before the call, and before what is queued there afterwards.
void combine_both(const int* left, const int* right, int* out, int n, cudaStream_t main, cudaStream_t side,
                  const Meeting& meeting);

// ---- host_function ----

/// Batches of n values each, one behind the other.
struct Batches {
    const int* in;  ///< batches * n values, not modified
    int n;
    int batches;
    unsigned long long* totals;       ///< one for each batch, whatever it holds before
    unsigned long long* host_totals;  ///< one for each batch, in pinned *host* memory
    /// Told of a batch: its number, and its total.
    void (*tell)(void* context, int batch, unsigned long long total);
    void* context;
};

/// v8: the same as sum_batches(), but the host waits for each batch (given, for comparison).
void sum_and_wait(const Batches& batches, cudaStream_t stream);

/// Queues for each batch its sum (`add_up`, given), the copy of its total to host_totals, and a host function that calls
/// tell(context, batch, host_totals[batch]); and does not wait. `tell` is called once for each batch, in their order.
///
/// @param batches  ends when the function returns; what its pointers point to lives until the stream is done
/// @param stream   any
void sum_batches(const Batches& batches, cudaStream_t stream);

}  // namespace streams

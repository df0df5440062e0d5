// The contract of topic 14_graphs: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

/// Topic 14: define once, launch many times. Capture, fork and join, explicit nodes, updates, memory nodes.
///
/// Unless said otherwise pointers are *device* memory, sizes are at least 1, and an error of a CUDA call ends
/// the program (CUDA_CHECK). Streams are non-blocking and come from the caller, who also waits for them.
///
/// Where a stream is recorded (record, fork_join, record_filter) that is done by one capture, begun by any function that
/// begins one; build_dag and retarget capture nothing; serve() may come to its graph in any way. Any function that
/// instantiates will do. What a function makes, graphs, instances and memory, it returns or destroys.
///
/// What is counted, besides the values (by the CPU backend, which sees it):
///   - capture: captures, graph launches, graphs, instances, waits
///   - fork_join: captures
///   - explicit_dag: captures
///   - update: captures, graph launches, graphs, instances, waits
///   - memory_nodes: captures, instances, waits
///   - jacobi: bytes copied, graph launches, graphs, instances, values stored, waits
///
/// What the host may compute: nothing. Results count only if kernels have computed them.
namespace graphs {

/// Threads per block of every kernel of the topic.
constexpr int kBlock = 256;

// ---- capture ----

/// A small simulation. One iteration is three kernels, each of which needs what the one before has written.
struct State {
    unsigned int* a;      ///< n values: the state
    unsigned int* b;      ///< n values of scratch memory
    unsigned int* c;      ///< n values of scratch memory
    unsigned int* round;  ///< one number: iterations that are complete
    int n;
};

/// An iteration that can be launched again and again.
struct Recording {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
};

/// Launches one iteration into the stream, kernel by kernel (given). With r = *round and k = coefficients()
/// of library.hpp:
///
///     b[i] = a[i] + a[(i + 1) % n]
///     c[i] = b[i] * k[i % 256] + r
///     a[i] = c[i] ^ (c[i] >> 7), and *round = r + 1
///
/// The first call in the process may allocate and wait, because coefficients() does.
void iterate(const State& state, cudaStream_t stream);

/// Records one iteration, and runs none: `state` is the same afterwards. Captures once and instantiates once. It may
/// wait before the capture, for what it does to warm up.
///
/// @param state   its contents may change between launches, its pointers and its size do not
/// @param stream  not capturing; its own work so far is not waited for
/// @return        a graph with three kernel nodes in a row, and one instance of it
Recording record(const State& state, cudaStream_t stream);

/// Queues so many iterations in the stream, one graph launch each, and does not wait.
void replay(const Recording& recording, int iterations, cudaStream_t stream);

/// Destroys instance and graph, each once. Launches that are queued still run.
void discard(Recording& recording);

// ---- fork_join ----

/// Five kernels: prepare first, then three that only read what it wrote, then one that needs all three.
struct Summary {
    const int* in;     ///< n values, not modified
    int* work;         ///< n values: in[i] * 3 + 1
    int* smallest;     ///< of work
    int* largest;      ///< of work
    long long* total;  ///< sum of work
    long long* out;    ///< n values: work[i] - smallest + total / (largest - smallest + 1)
    int n;
};

/// Streams and events for a fork into three branches; the caller owns them.
struct Lanes {
    cudaStream_t main, side[2];
    cudaEvent_t fork, done[2];
};

/// The five kernels one after the other, captured in lanes.main (given, for comparison): five nodes, four
/// edges.
cudaGraph_t chain(const Summary& summary, const Lanes& lanes);

/// The same kernels, where each waits only for what it needs: five nodes, six edges. The caller destroys the
/// graph.
///
/// @param summary  its values may change between launches, its pointers and its size do not
/// @param lanes    lanes.main is the stream in which the capture begins and ends
/// @return         the graph, not instantiated
cudaGraph_t fork_join(const Summary& summary, const Lanes& lanes);

// ---- explicit_dag ----

/// The sum of n squares, with both copies, and a function that is told when it is there.
struct Dag {
    const int* host_in;              ///< n values in pinned *host* memory, read at each launch
    int* in;                         ///< n values
    int* squares;                    ///< n values
    unsigned long long* total;       ///< one number; whatever it holds before the launch
    unsigned long long* host_total;  ///< one number in pinned *host* memory
    cudaHostFn_t tell;               ///< called with `context` when host_total has been written
    void* context;
    int n;
};

/// The nodes, for those who want to look at them or to change them.
struct DagNodes {
    cudaGraphNode_t upload;    ///< host_in to in
    cudaGraphNode_t clear;     ///< total = 0, with a memset node
    cudaGraphNode_t square;    ///< a kernel: squares[i] = in[i] * in[i]
    cudaGraphNode_t add_up;    ///< a kernel: adds all squares to *total, with atomics
    cudaGraphNode_t download;  ///< total to host_total
    cudaGraphNode_t tell;      ///< the host function
};

/// Builds the graph node by node, with the five edges that are needed and no others. The caller destroys it.
cudaGraph_t build_dag(const Dag& dag, DagNodes& nodes);

// ---- update ----

/// One batch of requests. Batches differ in everything.
struct Batch {
    const float* in;  ///< n values, not modified
    float* out;       ///< n values: in[i] * scale, and if `clamp` is set no more than 1
    int n;
    float scale;
    bool clamp;  ///< one kernel more
};

/// What is kept between batches.
struct Server {
    cudaGraphExec_t exec = nullptr;  ///< null before the first batch
};

/// Captures the batch's one or two kernels, brings the instance up to date, launches it and does not wait. No graph is
/// left behind: the instance does not need it.
///
/// The instance of the batch before is *updated* (cudaGraphExecUpdate). Only where that is impossible,
/// because this batch has another number of kernels, is it destroyed and made anew; no error is left behind
/// for cudaGetLastError().
void serve(Server& server, const Batch& batch, cudaStream_t stream);

/// Destroys the instance, if there is one (given).
void close(Server& server);

/// An instance of a graph with one kernel node, the scaling of a batch.
struct OneNode {
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t node = nullptr;
    cudaGraphExec_t exec = nullptr;
};

/// Builds graph, node and instance for a batch whose `clamp` is false (given); the caller destroys both.
OneNode prepare(const Batch& first);

/// Makes later launches of the instance scale this batch instead. No capture, no new instance; queued
/// launches keep what they had.
void retarget(OneNode& one, const Batch& batch);

// ---- memory_nodes ----

/// A filter that needs scratch memory and returns its result in memory of its own.
struct Filter {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    int* result = nullptr;  ///< n values: from the end of a launch until the next launch, or release()
};

/// Records: sums[i] = in[i] + in[(i + 1) % n], then result[i] = sums[i] * sums[(i + 1) % n].
///
/// Both `sums` and `result` are memory of the graph. `sums` is freed in the graph, `result` is not; each
/// launch frees that of the launch before, so that the caller may launch as often as he likes.
///
/// @param in      n values, read at each launch
/// @param n       1 or more
/// @param stream  where the capture begins and ends
/// @return        a graph with two allocation nodes, two kernel nodes and one free node, and an instance of
/// it
Filter record_filter(const int* in, int n, cudaStream_t stream);

/// Frees the result of the last launch, if there was one, in the stream, without a wait; destroys instance and graph.
///
/// @param filter    empty afterwards
/// @param launched  whether the instance was ever launched
/// @param stream    where the result is freed, at its turn
void release(Filter& filter, bool launched, cudaStream_t stream);

// ---- jacobi ----

/// How a plate has settled.
struct Settled {
    int steps;     ///< steps that were done
    float change;  ///< the largest absolute change of a value in the last of them; 0 if there was none
};

/// The temperatures of a plate whose edge is kept as it is: Laplace's equation, by Jacobi's method.
///
/// In a step every inner value becomes the mean of its four neighbours, above, below, left and right, as they were before the
/// step. The first and the last row and column are the edge: it is read and never changed. After every `check_every` steps the
/// change of the last of them is looked at; it ends when that is not above `tolerance`, or when most_steps are done.
///
/// The steps between two looks are one graph. It is made and instantiated once, in any way, and launched once for each look;
/// nothing but the change is copied in between, and the host waits once for each launch, besides what
/// copies and frees before and after.
/// Device memory, graph, instance and streams are freed when the function returns. A plate without inner values, or
/// most_steps = 0, needs no graph, and nothing changes.
///
/// @param grid         rows * columns finite values in *host* memory, row by row; replaced by those after the last step
/// @param rows         1 or more, up to 30000
/// @param columns      1 or more, up to 30000
/// @param tolerance    0 or more
/// @param check_every  1 or more, even or odd
/// @param most_steps   a multiple of check_every, or 0
/// @note  an error of any call ends the program (CUDA_CHECK)
Settled jacobi(float* grid, int rows, int columns, float tolerance, int check_every, int most_steps);

}  // namespace graphs

// The contract of topic 14_graphs: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

/// Topic 14: graphs that are defined once and launched many times. Capture, fork and join, explicit nodes, updates, memory nodes.
///
/// Unless stated otherwise, pointers are *device* memory, sizes are at least 1, and an error of a CUDA call ends
/// the program (CUDA_CHECK). Streams are non-blocking. The caller provides them and waits for them.
///
/// Functions that record a stream (record, fork_join, record_filter) use exactly one capture, started with any function that
/// starts one. build_dag and retarget do not capture. serve() may build its graph in any way. You can use any function that
/// instantiates. A function returns or destroys every graph, instance and memory allocation that it creates.
///
/// What is counted, besides the values (on the CPU backend):
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

/// A small simulation. One iteration is three kernels, each of which reads what the previous kernel has written.
struct State {
    unsigned int* a;      ///< n values: the state
    unsigned int* b;      ///< n values of scratch memory
    unsigned int* c;      ///< n values of scratch memory
    unsigned int* round;  ///< one number: iterations that are complete
    int n;
};

/// An iteration that can be launched any number of times.
struct Recording {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
};

/// Launches one iteration into the stream, kernel by kernel. Given. With r = *round and k = coefficients()
/// of library.hpp:
///
///     b[i] = a[i] + a[(i + 1) % n]
///     c[i] = b[i] * k[i % 256] + r
///     a[i] = c[i] ^ (c[i] >> 7), and *round = r + 1
///
/// The first call in the process may allocate and wait, because coefficients() does.
void iterate(const State& state, cudaStream_t stream);

/// Records one iteration and runs nothing: `state` does not change. Captures once and instantiates once. Before the
/// capture, the function may wait for work of its own that warms up.
///
/// @param state   its values may change between launches; its pointers and its size do not
/// @param stream  not capturing; the function does not wait for earlier work in it
/// @return        a graph with three kernel nodes, each depending on the previous one, and one instance of it
Recording record(const State& state, cudaStream_t stream);

/// Queues `iterations` iterations in the stream, with one graph launch each, and does not wait.
void replay(const Recording& recording, int iterations, cudaStream_t stream);

/// Destroys the instance and the graph, each once. Launches that are already queued still run.
void discard(Recording& recording);

// ---- fork_join ----

/// Data of five kernels: the first one prepares, the next three only read what it has written, and the last one needs all three.
struct Summary {
    const int* in;     ///< n values, not modified
    int* work;         ///< n values: in[i] * 3 + 1
    int* smallest;     ///< minimum of work
    int* largest;      ///< maximum of work
    long long* total;  ///< sum of work
    long long* out;    ///< n values: work[i] - smallest + total / (largest - smallest + 1)
    int n;
};

/// Streams and events for a fork into three branches; the caller owns them.
struct Lanes {
    cudaStream_t main, side[2];
    cudaEvent_t fork, done[2];
};

/// Captures the five kernels one after another in lanes.main: five nodes, four edges. Given, for comparison.
cudaGraph_t chain(const Summary& summary, const Lanes& lanes);

/// Captures the same kernels so that each waits only for the kernels that it needs: five nodes, six edges. The caller
/// destroys the graph.
///
/// @param summary  its values may change between launches; its pointers and its size do not
/// @param lanes    the capture starts and ends in lanes.main
/// @return         the graph, not instantiated
cudaGraph_t fork_join(const Summary& summary, const Lanes& lanes);

// ---- explicit_dag ----

/// The sum of n squares, with a copy in each direction and a host function that signals the result.
struct Dag {
    const int* host_in;              ///< n values in pinned *host* memory, read at each launch
    int* in;                         ///< n values
    int* squares;                    ///< n values
    unsigned long long* total;       ///< one number; its value before the launch does not matter
    unsigned long long* host_total;  ///< one number in pinned *host* memory
    cudaHostFn_t tell;               ///< called with `context` when host_total has been written
    void* context;
    int n;
};

/// The nodes, so that the caller can inspect or change them.
struct DagNodes {
    cudaGraphNode_t upload;    ///< copies host_in to in
    cudaGraphNode_t clear;     ///< sets total to 0 with a memset node
    cudaGraphNode_t square;    ///< a kernel: squares[i] = in[i] * in[i]
    cudaGraphNode_t add_up;    ///< a kernel: adds all squares to *total, with atomics
    cudaGraphNode_t download;  ///< copies total to host_total
    cudaGraphNode_t tell;      ///< the host function
};

/// Builds the graph node by node, with the five edges that are needed and no others. The caller destroys it.
cudaGraph_t build_dag(const Dag& dag, DagNodes& nodes);

// ---- update ----

/// One batch of requests. All members can differ from batch to batch.
struct Batch {
    const float* in;  ///< n values, not modified
    float* out;       ///< n values: in[i] * scale, limited to at most 1 if `clamp` is set
    int n;
    float scale;
    bool clamp;  ///< adds a second kernel
};

/// State that is kept between batches.
struct Server {
    cudaGraphExec_t exec = nullptr;  ///< null before the first batch
};

/// Captures the one or two kernels of the batch, updates the instance, launches it into `stream` and does not wait. Destroys every graph
/// that it creates, because the instance does not need it.
///
/// The instance of the previous batch is *updated* (cudaGraphExecUpdate). Only if that is impossible, because this batch
/// has a different number of kernels, it is destroyed and created again. In that case no error remains for
/// cudaGetLastError().
void serve(Server& server, const Batch& batch, cudaStream_t stream);

/// Destroys the instance, if there is one. Given.
void close(Server& server);

/// An instance of a graph with one kernel node, the scaling of a batch.
struct OneNode {
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t node = nullptr;
    cudaGraphExec_t exec = nullptr;
};

/// Builds graph, node and instance for a batch whose `clamp` is false. Given. The caller destroys graph and instance.
OneNode prepare(const Batch& first);

/// Changes the instance so that later launches scale this batch instead. Does not capture and creates no instance. Launches
/// that are already queued keep the earlier batch.
void retarget(OneNode& one, const Batch& batch);

// ---- memory_nodes ----

/// A filter that needs scratch memory and returns its result in memory that it allocates itself.
struct Filter {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    int* result = nullptr;  ///< n values: valid from the end of a launch until the next launch or release()
};

/// Records two kernels: sums[i] = in[i] + in[(i + 1) % n], then result[i] = sums[i] * sums[(i + 1) % n].
///
/// Both `sums` and `result` are memory that the graph allocates. The graph frees `sums` but not `result`. Each launch
/// frees the `result` of the previous launch, so that the caller can launch any number of times.
///
/// @param in      n values, read at each launch
/// @param n       1 or more
/// @param stream  the capture starts and ends in it
/// @return        a graph with two allocation nodes, two kernel nodes and one free node, and an instance of it
Filter record_filter(const int* in, int n, cudaStream_t stream);

/// Frees the result of the last launch, if there was one, in stream order and without waiting. Destroys the instance and the graph.
///
/// @param filter    empty afterwards
/// @param launched  whether the instance was ever launched
/// @param stream    the stream in whose order the result is freed
void release(Filter& filter, bool launched, cudaStream_t stream);

// ---- jacobi ----

/// How jacobi() ended.
struct Settled {
    int steps;     ///< number of steps that were executed
    float change;  ///< largest absolute change of a value in the last step; 0 if there was no step
};

/// Computes the temperatures of a plate whose edge stays fixed: Laplace's equation, solved with Jacobi's method.
///
/// In a step, every inner value becomes the mean of its four neighbours (above, below, left and right), as they were before the
/// step. The first and the last row and column are the edge: they are read and never changed. After every `check_every` steps, the
/// host checks the change of the last of these steps. The function ends when that change is at most `tolerance`, or after most_steps.
///
/// The steps between two checks are one graph. Build and instantiate it once, in any way, and launch it once per check. Between
/// launches, nothing except the change is copied, and the host waits once per launch. Copies and frees before the first launch
/// and after the last one may also wait.
/// The function frees device memory, graph, instance and streams before it returns. If the plate has no inner values or
/// most_steps is 0, no graph is needed and nothing changes.
///
/// @param grid         rows * columns finite values in *host* memory, row by row; replaced by the values after the last step
/// @param rows         1 or more, up to 30000
/// @param columns      1 or more, up to 30000
/// @param tolerance    0 or more
/// @param check_every  1 or more, even or odd
/// @param most_steps   a multiple of check_every, or 0
/// @note  an error of any call ends the program (CUDA_CHECK)
Settled jacobi(float* grid, int rows, int columns, float tolerance, int check_every, int most_steps);

}  // namespace graphs

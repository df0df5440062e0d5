// The contract of topic 17_device_graphs: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

/// Topic 17: graphs that decide while they run. Conditional nodes, graphs that kernels launch, nodes that kernels change.
///
/// Pointers are *device* memory, and an error of a CUDA call ends the program (CUDA_CHECK). A function returns what it creates:
/// either a graph, which the caller instantiates and destroys, or instances, which the caller destroys. It destroys all other graphs
/// itself. The caller launches once, and waits. No function launches anything. build_if, build_while and build_switch do not wait. The other
/// functions may upload instances, and wait for that in any way.
///
/// What is counted, besides the values (on the CPU backend):
///   - if_node: bodies, graph launches, leaks, waits
///   - while_node: bodies, graph launches, kernels, leaks, waits
///   - switch_node: bodies, graph launches, leaks, stores, waits
///   - device_launch: graph launches, launches by kernels, leaks
///   - scheduler: graph launches, launches by kernels, leaks
///   - device_update: blocks, graph launches, leaks
///
/// What the host may compute: nothing. Results count only if kernels have computed them.
namespace device_graphs {

/// Threads per block of every kernel of the topic that has more than one.
constexpr int kBlock = 256;

// ---- if_node --------------------------------------------------------------------------------------------

struct Levels {
    int* values;   ///< n values, 0 or more
    int n;         ///< 1 or more
    int limit;     ///< 0 or more
    int* largest;  ///< one number, undefined before a launch; after it, the largest value found
    int* halved;   ///< one number: how many launches have halved the values
    int* kept;     ///< one number: how many launches have not halved them
};

/// Builds a graph that finds the largest value. If that value is greater than the limit, the graph halves all values (rounding
/// down) and adds 1 to *halved; otherwise it adds 1 to *kept. One IF node with two bodies makes the choice.
cudaGraph_t build_if(const Levels& levels);

// ---- while_node -----------------------------------------------------------------------------------------

struct Edge {
    int a, b;
};

struct LoopState {
    int changed;  ///< not 0 if this round has changed a label, otherwise 0
    int rounds;   ///< number of rounds that have run
};

struct Labels {
    const Edge* edges;  ///< m edges between vertices 0 .. n - 1
    int m;              ///< 0 or more
    int* labels;        ///< n values, every one written
    int n;              ///< 1 or more
    int most_rounds;  ///< 1 or more: the loop ends after at most this many rounds, even if the last one changed something
    LoopState*
        state;  ///< undefined before a launch; after it, the number of rounds (1 or more) and the last `changed`
};

/// Builds a graph that labels each vertex with the smallest vertex that it is connected to. A kernel initializes labels and state.
/// A WHILE node repeats a round over all edges and a decision. The result is that of tail_loop in topic 16.
cudaGraph_t build_while(const Labels& work);

// ---- switch_node ----------------------------------------------------------------------------------------

/// Elements first .. first + count - 1, and their encoding.
struct Piece {
    int kind;  ///< 0: unchanged; 1: relative; 2: in reverse order; any other number, including negative ones: unknown
    int first, count;  ///< count is 0 or more
};

/// Number of kinds that have a decoder.
constexpr int kKinds = 3;

struct Pieces {
    const Piece* pieces;
    const int* count;  ///< one number, 0 or more: the number of pieces; it is read when the graph runs
    int* next;         ///< one number, undefined before a launch: scratch memory of the graph
    Piece* current;    ///< one piece, undefined before a launch: scratch memory of the graph
    int* last;         ///< one number, undefined before a launch: scratch memory of the graph
    const int* in;
    int* out;  ///< the elements of pieces of unknown kind are not written
};

/// Builds a graph that decodes all pieces, one after another: a WHILE node whose body has a SWITCH node.
///
/// The elements of a relative piece are differences: out[i] = in[i] + last for each of them. Here last is out[first + count - 1] of the
/// latest earlier piece that has decoded elements, of any kind, or 0 if there is none. Pieces of unknown kind and pieces without
/// elements decode nothing.
cudaGraph_t build_switch(const Pieces& work);

// ---- device_launch --------------------------------------------------------------------------------------

/// Number of parts of the values.
constexpr int kParts = 4;

struct Clipping {
    int* values;  ///< n values, 0 or more
    int n;        ///< 1 or more
    int limit;    ///< 0 or more
    int*
        over;  ///< kParts numbers, undefined before a launch; after it, the values over the limit in each part
    unsigned long long* total;  ///< one number, undefined before a launch; after it, the sum of all values

    /// Returns the size of a part. The last parts may have fewer values, or none.
    int width() const { return (n + kParts - 1) / kParts; }
};

struct ClippingGraphs {
    cudaGraphExec_t
        main;  ///< launched by the host: counts the values over the limit in each part, and launches the others
    cudaGraphExec_t clip
        [kParts];  ///< for each part: launched if values of this part are over the limit; sets them to the limit
    cudaGraphExec_t sum;  ///< always launched: sums the values after all parts have been clipped
};

/// Builds the instances. `main` launches the graphs of the parts as fire-and-forget, so that they can start immediately and run at the
/// same time, and only `sum` into its tail. Each of them is launched at most once per launch of `main`. If a launch is refused, the
/// kernel ends with __trap().
///
/// @param work    the graphs keep its pointers, which must remain valid
/// @param stream  all instances except `main` are uploaded in it, and the caller launches `main` in it
ClippingGraphs build_clipping(const Clipping& work, cudaStream_t stream);

// ---- scheduler ------------------------------------------------------------------------------------------

/// Elements first .. first + count - 1, and the operation on each of them.
struct Task {
    int kind;  ///< 0: x becomes 3 x + 1; 1: x becomes x * x
    int first, count;
};

struct Agenda {
    const Task* tasks;
    const int* count;  ///< one number, 0 or more: the number of tasks; it is read when the graph runs
    int* next;         ///< one number: index of the next task; the caller sets it to 0 before each launch
    Task* current;     ///< one task: the task of the worker
    unsigned* data;
};

struct Scheduler {
    cudaGraphExec_t scheduler;  ///< launched once by the host: takes a task, launches a worker and itself
    cudaGraphExec_t triple;     ///< the worker for kind 0
    cudaGraphExec_t square;     ///< the worker for kind 1
};

/// Builds the three instances. Tasks are executed one after another, in order: each task sees the results of the previous tasks.
/// If a launch is refused, the kernel ends with __trap().
///
/// @param agenda  the graphs keep its pointers, which must remain valid
/// @param stream  the instances are uploaded in it, and the caller launches `scheduler` in it
Scheduler build_scheduler(const Agenda& agenda, cudaStream_t stream);

// ---- device_update --------------------------------------------------------------------------------------

struct Candidates {
    const int* values;  ///< n values, 0 to 100000
    int n;              ///< 1 or more
    const int* limit;   ///< one number, 0 or more; it is read when the graph runs
    int* chosen;        ///< n numbers, undefined before a launch: scratch memory of the graph
    int*
        count;  ///< one number, undefined before a launch; after it, the number of values greater than the limit
    int* steps;  ///< n numbers; not written for values that are not greater than the limit
};

/// Builds an instance that selects the values over the limit and finds, for each of them, the number of steps after which it becomes
/// 1. A step halves an even number, and turns an odd number x into 3 x + 1. The kernel that counts the steps runs with as many blocks
/// as the selected values need, and does not run if none is selected; a kernel of the graph arranges this. If such a change is
/// refused, that kernel ends with __trap().
///
/// @param work    the graph keeps its pointers, which must remain valid
/// @param stream  the instance is uploaded in it, and the caller launches it there
cudaGraphExec_t build_update(const Candidates& work, cudaStream_t stream);

}  // namespace device_graphs

// The contract of topic 17_device_graphs: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

/// Topic 17: graphs that decide while they run. Conditional nodes, graphs that kernels launch, nodes that kernels change.
///
/// Pointers are *device* memory, and an error of a CUDA call ends the program (CUDA_CHECK). What a function makes it returns:
/// a graph, which the caller instantiates and destroys, or instances, which the caller destroys; other graphs it destroys itself.
/// The caller launches once, and waits. No function launches anything or waits, but for an upload.
///
/// What is counted, besides the values (by the CPU backend, which sees it):
///   - if_node: bodies, graph launches, leaks
///   - while_node: bodies, kernels, graph launches, leaks
///   - switch_node: bodies, graph launches, leaks
///   - device_launch: launches by kernels, graph launches, leaks
///   - scheduler: launches by kernels, graph launches, leaks
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
    int* largest;  ///< one number, anything before a launch; after it the largest value that it found
    int* halved;   ///< one number: how often the values were halved
    int* kept;     ///< one number: how often not
};

/// A graph that finds the largest value; if that is greater than the limit, all values are halved (rounded down) and
/// *halved grows by 1, and otherwise *kept grows by 1. The choice is made by one IF node with two bodies.
cudaGraph_t build_if(const Levels& levels);

// ---- while_node -----------------------------------------------------------------------------------------

struct Edge {
    int a, b;
};

struct LoopState {
    int changed;  ///< did this round change a label?
    int rounds;   ///< that have run
};

struct Labels {
    const Edge* edges;  ///< m edges between vertices 0 .. n - 1
    int m;              ///< 0 or more
    int* labels;        ///< n values, every one written
    int n;              ///< 1 or more
    int most_rounds;    ///< 1 or more: stops after so many rounds, even if the last one changed something
    LoopState*
        state;  ///< anything before a launch; after it rounds that have run (1 or more), and what the last one did
};

/// A graph that labels each vertex with the least vertex that it is connected to: a kernel sets labels and state up, and a
/// WHILE node repeats a round over all edges and a decision. It is the task of tail_loop in topic 16.
cudaGraph_t build_while(const Labels& work);

// ---- switch_node ----------------------------------------------------------------------------------------

/// Elements first .. first + count - 1, and how they are coded.
struct Piece {
    int kind;  ///< 0: as they are; 1: negated; 2: in reverse order; any other number, also a negative one: unknown
    int first, count;
};

/// Kinds that there are decoders for.
constexpr int kKinds = 3;

struct Pieces {
    const Piece* pieces;
    const int* count;  ///< one number, 0 or more: how many pieces there are; it is read when the graph runs
    int* next;         ///< one number, anything before a launch: for the graph's own use
    Piece* current;    ///< one piece: likewise
    const int* in;
    int* out;  ///< the elements of pieces of unknown kind are not written
};

/// A graph that decodes all pieces, one after the other: a WHILE node whose body has a SWITCH node.
cudaGraph_t build_switch(const Pieces& work);

// ---- device_launch --------------------------------------------------------------------------------------

struct Clipping {
    int* values;  ///< n values, 0 or more
    int n;        ///< 1 or more
    int limit;    ///< 0 or more
    int* over;    ///< one number, anything before a launch; after it how many values were over the limit
    unsigned long long* total;  ///< one number, anything before a launch; after it the sum of all values
};

struct ClippingGraphs {
    cudaGraphExec_t
        main;  ///< which the host launches: counts the values over the limit, and launches the others
    cudaGraphExec_t clip;  ///< launched if there are any: sets values over the limit to the limit
    cudaGraphExec_t sum;   ///< launched always: sums the values, after they were clipped
};

/// Builds the three instances. `clip` is fired and forgotten, so that it may begin at once, and `sum` alone goes into the tail of
/// `main`. A launch that is refused ends the kernel with __trap().
///
/// @param work    the graphs keep its pointers, which the caller leaves valid
/// @param stream  in which `clip` and `sum` are uploaded, and in which the caller will launch `main`
ClippingGraphs build_clipping(const Clipping& work, cudaStream_t stream);

// ---- scheduler ------------------------------------------------------------------------------------------

/// Elements first .. first + count - 1, and what is done with each of them.
struct Task {
    int kind;  ///< 0: x becomes 3 x + 1; 1: x becomes x * x
    int first, count;
};

struct Agenda {
    const Task* tasks;
    const int* count;  ///< one number, 0 or more: how many tasks there are; it is read when the graph runs
    int* next;         ///< one number: the task that is next, set to 0 by the caller before each launch
    Task* current;     ///< one task: what the worker is to do
    unsigned* data;
};

struct Scheduler {
    cudaGraphExec_t scheduler;  ///< which the host launches once: takes a task, launches a worker and itself
    cudaGraphExec_t triple;     ///< the worker for kind 0
    cudaGraphExec_t square;     ///< the worker for kind 1
};

/// Builds the three instances. Tasks are done one after the other, in their order: each sees what the one before it has done.
/// A launch that is refused ends the kernel with __trap().
///
/// @param agenda  the graphs keep its pointers, which the caller leaves valid
/// @param stream  in which the instances are uploaded, and in which the caller will launch `scheduler`
Scheduler build_scheduler(const Agenda& agenda, cudaStream_t stream);

// ---- device_update --------------------------------------------------------------------------------------

struct Candidates {
    const int* values;  ///< n values, 0 to 100000
    int n;              ///< 1 or more
    const int* limit;   ///< one number, 0 or more; it is read when the graph runs
    int* chosen;        ///< n numbers, anything before a launch: for the graph's own use
    int*
        count;  ///< one number, anything before a launch; after it how many values are greater than the limit
    int* steps;  ///< n numbers; those of values that are not greater than the limit are not written
};

/// A graph that chooses the values over the limit and finds for each of them after how many steps it becomes 1, where a step
/// halves an even number and makes 3 x + 1 of an odd one. The kernel that counts steps has as many blocks as the chosen
/// values need, and does not run where there are none; a kernel of the graph sees to that. A change that is refused ends that
/// kernel with __trap().
///
/// @param work    the graph keeps its pointers, which the caller leaves valid
/// @param stream  in which the instance is uploaded, and in which the caller will launch it
cudaGraphExec_t build_update(const Candidates& work, cudaStream_t stream);

}  // namespace device_graphs

// The contract of topic 15_work_queues: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"

/// Topic 15: work that is uneven, and workers that come for more when they are done.
///
/// Unless said otherwise every pointer is *device* memory, every function only launches (it may return before
/// the kernels have run), an `int n` is at most 2^30, and an error of a launch ends the program
/// (CUDA_CHECK_LAUNCH). Each task is done once, and its result is stored once.
///
/// What is counted, besides the values (by the CPU backend, which sees it):
///   - batched_counter: atomics, stores, threads
///   - warp_queue: active lanes, atomics, stores, threads
///   - persistent: atomics, blocks, launches, loads, shared loads, stores
///   - stack_traversal: atomics, loads, threads
///   - phases: launches, waits of the host
///
/// What the host may compute: nothing. Results count only if kernels have computed them.
namespace work_queues {

/// Lanes of a warp.
constexpr int kLanes = 32;

/// Threads per block: 8 warps.
constexpr int kBlock = 256;

/// Words of the table that every task reads: 32 KB.
constexpr int kTable = 8192;

/// A piece of work. How long it takes differs from task to task: most are short, and a few are hundreds of times as long.
struct Task {
    std::uint32_t seed;
    int steps;  ///< 0 or more
};

/// One step of a task: an addition, a multiplication and a load. Given, and used as it is.
///
/// @param table  kTable words
/// @param x      what the step before gave
__host__ __device__ inline std::uint32_t step(const std::uint32_t* table, std::uint32_t x) {
    return x * 1664525u + table[x >> 19];
}

/// The result of a task: as many steps as it has, from its seed. Given, and the same in every version.
///
/// @param table  kTable words
/// @param task   what to do
__host__ __device__ inline std::uint32_t work(const std::uint32_t* table, Task task) {
    std::uint32_t x = task.seed;
    for (int k = 0; k < task.steps; ++k) x = step(table, x);
    return x;
}

// ---- batched_counter ----

/// out[i] = work(table, tasks[i]), thread i does task i. Given, for comparison.
///
/// @param tasks  n tasks, not modified
/// @param n      0 or more; for 0 nothing is launched
/// @param table  kTable words, not modified
/// @param out    n results, every one written
void one_task_per_thread(const Task* tasks, int n, const std::uint32_t* table, std::uint32_t* out);

/// The same with a counter: a thread claims `batch` neighbouring tasks by one atomic addition to *next, does them, and comes
/// again, until none is left.
///
/// The tasks are a part of a longer list, in which they have the numbers first, first + 1, ..., first + n - 1. The counter counts
/// these numbers: it is the number of the first task that nobody has claimed, and others may watch it. A claim may go
/// beyond the end, so after the call *next is first + n or more.
///
/// @param tasks   n tasks, not modified; tasks[i] has the number first + i
/// @param first   0 or more, below 2^40
/// @param n       0 or more; for 0 only the counter is set
/// @param table   kTable words, not modified
/// @param out     n results, every one written
/// @param next    one value, undefined before the call
/// @param batch   how many tasks are claimed at once: 1 or more
/// @param blocks  how many blocks of kBlock threads work: 1 or more
void batched_counter(const Task* tasks, unsigned long long first, int n, const std::uint32_t* table,
                     std::uint32_t* out, unsigned long long* next, int batch, int blocks);

// ---- warp_queue ----

/// out[i] = work(table, tasks[i]). A warp claims 32 neighbouring tasks by one atomic addition of one lane, and each lane
/// does one of them.
///
/// @param tasks   n tasks, not modified
/// @param n       0 or more
/// @param table   kTable words, not modified
/// @param out     n results, every one written
/// @param next    one value, undefined before the call
/// @param blocks  how many blocks of kBlock threads work: 1 or more
void warp_queue(const Task* tasks, int n, const std::uint32_t* table, std::uint32_t* out, unsigned int* next,
                int blocks);

/// Steps that a warp of warp_refill makes before it looks which of its lanes are free.
constexpr int kRun = 8;

/// The same, and a lane that is done gets a new task while others of its warp still have work: after every kRun steps one lane
/// claims as many tasks as there are free lanes. When a claim has come to the end of the list, the warp claims no more.
///
/// @param tasks   n tasks, not modified
/// @param n       0 or more
/// @param table   kTable words, not modified
/// @param out     n results, every one written
/// @param next    one value, undefined before the call
/// @param blocks  how many blocks of kBlock threads work: 1 or more
void warp_refill(const Task* tasks, int n, const std::uint32_t* table, std::uint32_t* out, unsigned int* next,
                 int blocks);

// ---- persistent ----

/// A queue that is ready for the next call whenever one ends.
struct Queue {
    unsigned int next;  ///< the first task that nobody has claimed
    unsigned int left;  ///< blocks that have found the queue empty
};

/// out[i] = work(table, tasks[i]), by *one* launch and nothing else: as many blocks as the device holds at once, and no
/// more than have 32 tasks for each of their warps; each copies the table to (dynamic) shared memory, once, and its warps take 32 tasks at a
/// time. The block that leaves last sets the queue back.
///
/// @param tasks  n tasks, not modified
/// @param n      0 or more; for 0 nothing is launched
/// @param table  kTable words, not modified
/// @param out    n results, every one written
/// @param queue  one queue, {0, 0} before the call and after it
void persistent(const Task* tasks, int n, const std::uint32_t* table, std::uint32_t* out, Queue* queue);

// ---- stack_traversal ----

/// Cells that a warp can keep for later.
constexpr int kStack = 32;

/// counts[k] is how many points of the tree lie in boxes[k], its border included: one thread per box, which keeps cells
/// for later in an array of its own. Given, for comparison.
///
/// @param tree    the octree of topic 16, not modified
/// @param boxes   n boxes, not modified
/// @param n       0 or more; for 0 nothing is launched
/// @param counts  n counts, every one written
void count_by_threads(nested::Octree tree, const nested::Box* boxes, int n, int* counts);

/// The same by warps: each claims one box by an atomic addition of one lane, and walks the tree with a stack of kStack cells in
/// shared memory.
///
/// A leaf, and a cell with at most 32 points, is searched: all its points are tested, 32 at a time. Of another cell those
/// of the 8 cells below go on the stack that have points and meet the box. A cell for whose 8 cells there may be no room on the
/// stack is searched, too, however large it is: the count is never wrong.
///
/// @param tree    the octree of topic 16, not modified; node 0 is the root
/// @param boxes   n boxes, not modified
/// @param n       0 or more
/// @param counts  n counts, every one written
/// @param next    one value, undefined before the call
/// @param blocks  how many blocks of kBlock threads work: 1 or more
void stack_traversal(nested::Octree tree, const nested::Box* boxes, int n, int* counts, unsigned int* next,
                     int blocks);

// ---- phases ----

/// A graph: the neighbours of vertex v are neighbour[row_start[v]] .. neighbour[row_start[v + 1] - 1].
struct Graph {
    int vertices;
    const int* row_start;  ///< vertices + 1 values
    const int* neighbour;
};

/// Memory of a search.
struct Frontier {
    int* now;             ///< vertices values
    int* next;            ///< vertices values
    unsigned int* sizes;  ///< three values
};

/// levels[v] is the least number of edges from `source` to v, -1 where no way leads: level by level, one launch for each, and the
/// host waits for each, to learn whether there is another one. Given, for comparison.
///
/// @param graph     not modified; edges go in their one direction
/// @param source    a vertex
/// @param levels    graph.vertices values, every one written
/// @param frontier  memory to work in, undefined before the call
void phases_by_host(Graph graph, int source, int* levels, Frontier frontier);

/// The same by one cooperative launch and nothing else, whose blocks meet after each level; the host does not wait. As many blocks
/// as the device holds at once, at most.
///
/// @param graph     not modified; 1 vertex or more
/// @param source    a vertex
/// @param levels    graph.vertices values, every one written
/// @param frontier  memory to work in, undefined before the call
void phases(Graph graph, int source, int* levels, Frontier frontier);

}  // namespace work_queues

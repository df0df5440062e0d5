// The contract of topic 15_work_queues: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"

/// Topic 15: tasks of uneven length, and workers that claim new tasks when they have finished.
///
/// Unless stated otherwise, every pointer is *device* memory, every function only launches (it may return before
/// the kernels have run), an `int n` is at most 2^30, and an error of a launch ends the program
/// (CUDA_CHECK_LAUNCH). Each task is executed once, and its result is stored once.
///
/// What is counted, besides the values (on the CPU backend):
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

/// A task. Its length varies: most tasks are short, and a few are hundreds of times as long.
struct Task {
    std::uint32_t seed;
    int steps;  ///< 0 or more
};

/// One step of a task: an addition, a multiplication and a load. Given; call it unchanged.
///
/// @param table  kTable words
/// @param x      the result of the previous step
__host__ __device__ inline std::uint32_t step(const std::uint32_t* table, std::uint32_t x) {
    return x * 1664525u + table[x >> 19];
}

/// Returns the result of a task: executes its steps, starting from its seed. Given, and the same in every version.
///
/// @param table  kTable words
/// @param task   the task
__host__ __device__ inline std::uint32_t work(const std::uint32_t* table, Task task) {
    std::uint32_t x = task.seed;
    for (int k = 0; k < task.steps; ++k) x = step(table, x);
    return x;
}

// ---- batched_counter ----

/// Computes out[i] = work(table, tasks[i]): thread i executes task i. Given, for comparison.
///
/// @param tasks  n tasks, not modified
/// @param n      0 or more; for 0 nothing is launched
/// @param table  kTable words, not modified
/// @param out    n results, every one written
void one_task_per_thread(const Task* tasks, int n, const std::uint32_t* table, std::uint32_t* out);

/// Does the same with a counter: a thread claims `batch` consecutive tasks with one atomic addition to *next, executes them, and
/// claims again until no task is left.
///
/// The n tasks are part of a longer list, in which their numbers are first, first + 1, ..., first + n - 1. *next is such a number:
/// that of the first task that no thread has claimed. Other threads may read it during the call. A claim may go beyond the last
/// task, so after the call *next is first + n or more.
///
/// @param tasks   n tasks, not modified; tasks[i] has the number first + i
/// @param first   0 or more, below 2^40
/// @param n       0 or more; for 0 only the counter is set
/// @param table   kTable words, not modified
/// @param out     n results, every one written
/// @param next    one value, undefined before the call
/// @param batch   number of tasks per claim: 1 or more
/// @param blocks  number of blocks of kBlock threads: 1 or more
void batched_counter(const Task* tasks, unsigned long long first, int n, const std::uint32_t* table,
                     std::uint32_t* out, unsigned long long* next, int batch, int blocks);

// ---- warp_queue ----

/// Computes out[i] = work(table, tasks[i]). One lane of a warp claims 32 consecutive tasks with one atomic addition, and each lane
/// executes one of them.
///
/// @param tasks   n tasks, not modified
/// @param n       0 or more
/// @param table   kTable words, not modified
/// @param out     n results, every one written
/// @param next    one value, undefined before the call
/// @param blocks  number of blocks of kBlock threads: 1 or more
void warp_queue(const Task* tasks, int n, const std::uint32_t* table, std::uint32_t* out, unsigned int* next,
                int blocks);

/// Steps that a warp of warp_refill executes before it checks which of its lanes are free.
constexpr int kRun = 8;

/// Does the same, but a lane that has finished gets a new task while other lanes of its warp still work: after every kRun steps, one
/// lane claims as many tasks as there are free lanes. When a claim has reached the end of the list, the warp claims no more tasks.
///
/// @param tasks   n tasks, not modified
/// @param n       0 or more
/// @param table   kTable words, not modified
/// @param out     n results, every one written
/// @param next    one value, undefined before the call
/// @param blocks  number of blocks of kBlock threads: 1 or more
void warp_refill(const Task* tasks, int n, const std::uint32_t* table, std::uint32_t* out, unsigned int* next,
                 int blocks);

// ---- persistent ----

/// A queue. Each call leaves it ready for the next call.
struct Queue {
    unsigned int next;  ///< number of the first task that no warp has claimed
    unsigned int left;  ///< number of blocks that have found the queue empty
};

/// Computes out[i] = work(table, tasks[i]) with *one* launch and nothing else. Launches as many blocks as the device holds at the same
/// time, but at most ceil(n / kBlock), so that there are 32 tasks for each warp. Each block copies the table to (dynamic) shared memory
/// once, and its warps claim 32 tasks at a time. The last block to leave resets the queue.
///
/// @param tasks  n tasks, not modified
/// @param n      0 or more; for 0 nothing is launched
/// @param table  kTable words, aligned to 16 bytes, not modified
/// @param out    n results, every one written
/// @param queue  one queue, {0, 0} before the call and after it
void persistent(const Task* tasks, int n, const std::uint32_t* table, std::uint32_t* out, Queue* queue);

// ---- stack_traversal ----

/// Cells that fit on the stack of a warp.
constexpr int kStack = 32;

/// Computes counts[k], the number of points of the tree that are in boxes[k] or on its border. Uses one thread per box, which keeps
/// its pending cells in a local array. Given, for comparison.
///
/// @param tree    the octree of topic 16, not modified
/// @param boxes   n boxes, not modified
/// @param n       0 or more; for 0 nothing is launched
/// @param counts  n counts, every one written
void count_by_threads(nested::Octree tree, const nested::Box* boxes, int n, int* counts);

/// Does the same with warps: one lane of a warp claims one box with an atomic addition, and the warp walks the tree with a stack of
/// kStack cells in shared memory.
///
/// The warp searches a leaf, and any cell with at most 32 points, by testing all its points, 32 at a time. For any other cell, it
/// pushes those of the 8 child cells that have points and overlap the box. If the stack might not have room for all 8 children of a
/// cell, the warp searches the whole cell instead, however large it is, so the count is always correct.
///
/// @param tree    the octree of topic 16, not modified; node 0 is the root
/// @param boxes   n boxes, not modified
/// @param n       0 or more
/// @param counts  n counts, every one written
/// @param next    one value, undefined before the call
/// @param blocks  number of blocks of kBlock threads: 1 or more
void stack_traversal(nested::Octree tree, const nested::Box* boxes, int n, int* counts, unsigned int* next,
                     int blocks);

// ---- phases ----

/// A graph: the neighbours of vertex v are neighbour[row_start[v]] .. neighbour[row_start[v + 1] - 1].
struct Graph {
    int vertices;
    const int* row_start;  ///< vertices + 1 values
    const int* neighbour;
};

/// Scratch memory of a search.
struct Frontier {
    int* now;             ///< vertices values
    int* next;            ///< vertices values
    unsigned int* sizes;  ///< three values
};

/// Computes levels[v], the smallest number of edges from `source` to v, or -1 if no path leads to v. Launches one kernel per level; the
/// host waits for each kernel to learn whether there is a next level. Given, for comparison.
///
/// @param graph     not modified; its edges are directed
/// @param source    a vertex
/// @param levels    graph.vertices values, every one written
/// @param frontier  scratch memory, undefined before the call
void phases_by_host(Graph graph, int source, int* levels, Frontier frontier);

/// Does the same with one cooperative launch and nothing else. The blocks synchronize after each level; the host does not wait.
/// Launches at most as many blocks as the device holds at the same time.
///
/// @param graph     not modified; 1 vertex or more
/// @param source    a vertex
/// @param levels    graph.vertices values, every one written
/// @param frontier  scratch memory, undefined before the call
void phases(Graph graph, int source, int* levels, Frontier frontier);

}  // namespace work_queues

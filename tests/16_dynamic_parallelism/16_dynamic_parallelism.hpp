// The contract of topic 16_dynamic_parallelism: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

/// Topic 16: kernels that launch kernels. Children, tail launches, device streams, refused launches.
///
/// Unless said otherwise every pointer is *device* memory, every function launches *one* kernel from the host and may
/// return before it has run, and an error of that launch ends the program (CUDA_CHECK_LAUNCH). A kernel whose launch of a
/// child is refused does the child's work itself where that is said below, and otherwise ends with __trap(), so that a
/// result is never incomplete without an error. No function leaves memory allocated. Programs need relocatable device
/// code: nvcc -rdc=true.
///
/// What is counted, besides the values (by the CPU backend, which sees it):
///   - parent_child: launches by kernels, launches by the host, writers of a value
///   - quicksort: depth of launches, launches by kernels, launches by the host
///   - adaptive_spmv: blocks, launches by kernels, launches by the host
///   - octree_query: launches by kernels, launches by the host
///   - refine: blocks, launches by kernels, launches by the host
///   - tail_loop: launches by kernels, launches by the host, waits of the host
///
/// What the host may compute: nothing. Results count only if kernels have computed them.
namespace nested {

/// Threads per block where nothing else is said.
constexpr int kBlock = 256;

// ---- parent_child ---------------------------------------------------------------------------------------

/// Subtracts the least value from all, and sums what is left: out[i] = in[i] - *least, *total = out[0] + out[1] + ...
///
/// The parent, one block, finds the least value; two children subtract it, one from the first half of the values, the
/// other from the rest, each value once; a kernel that is launched into the parent's tail sums. Four kernels in all, one of them
/// launched by the host. A half without values gets no child. The children may run one after the other: launch them into any stream
/// whose kernels end before the sum starts.
///
/// @param in     n values, not modified
/// @param n      0 or more
/// @param out    n values, every one written
/// @param least  one value; INT_MAX for n = 0
/// @param total  one value; 0 for n = 0
/// @note  after Zahran's and NVIDIA's first examples of nested launches, with CUDA 12's rules
void parent_child(const int* in, int n, int* out, int* least, long long* total);

// ---- quicksort ------------------------------------------------------------------------------------------

constexpr int kSortBlock = 512;  ///< threads of a block that sorts
constexpr int kCutOff =
    1024;                   ///< a range of so many values or fewer is sorted in shared memory, by one block
constexpr int kStack = 32;  ///< parts that a block may have to keep for later

/// Sorts n values in ascending order, in place.
///
/// A block parts its range into three: less than a pivot, equal to it, greater. Of the two outer parts the smaller one
/// is sorted by a child if it has more than kCutOff values, by the block itself otherwise; the block goes on with the
/// larger one. If the launch of a child is refused, the block keeps the larger part for later and does the smaller one
/// itself, so that never more than log2(n) parts wait, whatever the values. Ends for all inputs, also when all values are
/// equal: then there is no child at all.
///
/// @param data     n values
/// @param n        0 or more
/// @param scratch  n values, undefined before the call and after it
/// @note  at most n / kCutOff children, at a depth of at most log2(n / kCutOff)
void quicksort(int* data, int n, int* scratch);

// ---- adaptive_spmv --------------------------------------------------------------------------------------

/// A sparse matrix, row after row: row r has the entries row_start[r] .. row_start[r + 1] - 1.
struct Csr {
    int rows;
    const int* row_start;  ///< rows + 1 values
    const int* column;     ///< of each entry, within one row in any order
    const float* value;
};

/// A row with more entries than this is dense.
constexpr int kDense = 256;

/// y = A x, with one thread per row. Given, for comparison: a long row keeps one thread busy, and 31 lanes wait for it.
void spmv_thread_per_row(Csr a, const float* x, float* y);

/// y = A x, with one warp per row. Given: right for medium rows, wasteful for short ones.
void spmv_warp_per_row(Csr a, const float* x, float* y);

/// y = A x, with one thread per row, and one child of kBlock threads for each dense row. If the launch of a child is
/// refused, the thread does the row itself.
///
/// @param a  entries may be many, few, or none in a row
/// @param x  one value per column, not modified
/// @param y  a.rows values, every one written: 0 for an empty row
void adaptive_spmv(Csr a, const float* x, float* y);

/// y = A x without dynamic parallelism: a first kernel does the short rows and writes down the dense ones, a second one,
/// launched by the host with a fixed grid, takes them from that list. Given, for comparison.
///
/// @param a     entries may be many, few, or none in a row
/// @param x     one value per column, not modified
/// @param y     a.rows values, every one written: 0 for an empty row
/// @param list  a.rows + 1 values of scratch memory
void spmv_two_kernels(Csr a, const float* x, float* y, int* list);

// ---- octree_query ---------------------------------------------------------------------------------------

struct Box {
    float3 low, high;  ///< both faces belong to the box
};

/// A cell of an octree. The points of all cells below it stand together, in the order of the tree.
struct Node {
    Box bounds;       ///< of its points, not of its cube in space
    int first_child;  ///< its 8 children stand together, from here on; 0 for a leaf
    int first;        ///< its first point
    int count;        ///< of its points; may be 0
};

/// nodes[0] is the root.
struct Octree {
    const Node* nodes;
    const float3* points;
    int node_count, point_count;
};

/// Where the answer goes.
struct Found {
    int* points;   ///< capacity indices, in any order; those beyond *count are not written
    int capacity;  ///< 0 or more
    int* count;    ///< how many points lie in the box, also if there is no room for all of them
};

/// A cell with so many points or fewer is searched without looking at its children.
constexpr int kSearch = 512;

/// Finds the points in a box. A kernel of one block visits one cell: it tests the points of a small cell or of a leaf,
/// and otherwise launches one child for each of the 8 cells below that meets the box. If a launch is refused, the block
/// searches that cell itself.
///
/// The cell is compared with the box before the launch: no kernel is launched for a cell that does not meet it, except for
/// the root. The points of a cell that lies in the box as a whole need not be tested one by one.
///
/// @param tree   the points and their cells, not modified
/// @param box    a point on its border lies in it
/// @param found  *found.count says how many there are; if that is more than the capacity, the first to come are there
void octree_query(Octree tree, Box box, Found found);

/// The same, given, for comparison: the host launches one kernel per level and waits for each. `cells`: two lists of
/// tree.node_count cells; `sizes`: two numbers.
void octree_host_driven(Octree tree, Box box, Found found, int* cells, int* sizes);

/// The same with a fixed grid whose warps take cells from a queue until it is empty. `cells`: tree.node_count cells;
/// `queue`: three numbers.
void octree_persistent(Octree tree, Box box, Found found, int* cells, int* queue);

/// The same without the tree: every point is tested.
void octree_flattened(Octree tree, Box box, Found found);

// ---- refine ---------------------------------------------------------------------------------------------

/// A piece of a curve, from sample `first` to sample `last` > first.
struct Piece {
    int first, last;
};

struct RefineState {
    int next_count;       ///< pieces of the next level so far
    int done_count;       ///< pieces that stay as they are
    unsigned int ticket;  ///< blocks of this level that are done
    int levels;           ///< that have run
    int overflow;         ///< not 0: a piece should have been cut, and there was no room for the halves
};

/// Memory of refine. The caller owns it.
struct Refinement {
    Piece* now;          ///< capacity pieces
    Piece* next;         ///< capacity pieces
    Piece* done;         ///< capacity pieces: the result, in any order
    int capacity;        ///< 1 or more
    RefineState* state;  ///< anything before the call; the result's counts after it
};

/// Approximates a curve by straight pieces. A piece is cut in its middle m = (first + last) / 2 if that lies between its
/// ends, and |h[first] - 2 h[m] + h[last]| > limit; otherwise it is done. Begins with one piece, from 0 to n - 1.
///
/// All pieces of one level are looked at by one kernel; the block that finishes last launches the next level into the
/// kernel's tail, with as many blocks as that needs: levels do not nest, so that two pending launches are enough for any
/// number of them. The first level may be the kernel that the host launches. A list never gets more than `capacity`
/// pieces: a piece whose halves have no room is done as it is, and overflow is set; a piece that is done and has no room is
/// counted, not stored, and overflow is set.
///
/// @param heights  n samples of the curve, not modified; between -2^29 and 2^29
/// @param n        2 or more
/// @param limit    0 or more
/// @param work     memory and result, see Refinement
void refine(const int* heights, int n, int limit, Refinement work);

// ---- tail_loop ------------------------------------------------------------------------------------------

struct Edge {
    int a, b;
};

struct LoopState {
    int changed;  ///< did this round change a label?
    int rounds;   ///< that have run
};

/// Labels each vertex of a graph with the least vertex that it is connected to: rounds over all edges, until one changes
/// nothing. The host launches a kernel that sets labels and state up, then the loop, and does not wait: a kernel of one
/// thread launches a round, and itself into its tail. So rounds do not nest, and a few pending launches are enough for any
/// number of them.
///
/// The threads of a round read and write labels while others do: atomically (atomicMin, a relaxed cuda::atomic_ref). A plain
/// store is a race, even though a later round would mend what it loses.
///
/// @param edges        m edges between vertices 0 .. n - 1, not modified
/// @param m            0 or more
/// @param labels       n values, every one written
/// @param n            1 or more
/// @param most_rounds  1 or more: stops after so many rounds, even if the last one changed something
/// @param state        anything before the call; after it `rounds` says how many have run (1 or more), and `changed`
///                     whether the last of them changed something
void tail_loop(const Edge* edges, int m, int* labels, int n, int most_rounds, LoopState* state);

/// The same, given, for comparison: the host launches round after round, and waits for each to learn whether it changed
/// something.
void host_loop(const Edge* edges, int m, int* labels, int n, int most_rounds, LoopState* state);

}  // namespace nested

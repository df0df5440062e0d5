// The contract of topic 16_dynamic_parallelism: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

/// Topic 16: kernels that launch kernels. Children, tail launches, device streams, refused launches.
///
/// Unless stated otherwise, every pointer is *device* memory, every function launches *one* kernel from the host and may
/// return before it has run, and an error of that launch ends the program (CUDA_CHECK_LAUNCH). If the launch of a child is
/// refused, the kernel does the child's work itself where the contract says so. Otherwise it ends with __trap(), so that an
/// incomplete result never comes without an error. No function leaves memory allocated. Programs need relocatable device
/// code: nvcc -rdc=true.
///
/// What is counted, besides the values (on the CPU backend):
///   - parent_child: launches by kernels, launches by the host, writers of a value
///   - quicksort: depth of launches, launches by kernels, launches by the host
///   - adaptive_spmv: blocks, launches by kernels, launches by the host
///   - octree_query: atomic additions, launches by kernels, launches by the host
///   - refine: blocks, launches by kernels, launches by the host
///   - tail_loop: launches by kernels, launches by the host, waits of the host
///
/// What the host may compute: nothing. Results count only if kernels have computed them.
namespace nested {

/// Threads per block, unless an exercise says otherwise.
constexpr int kBlock = 256;

// ---- parent_child ---------------------------------------------------------------------------------------

/// Subtracts the smallest value from all values, and sums the results: out[i] = in[i] - *least, *total = out[0] + out[1] + ...
///
/// The parent is one block and finds the smallest value. Two children subtract it, one from the first half of the values and
/// one from the rest, each value once. A kernel that the parent launches into its tail sums. These are four kernels, one of them
/// launched by the host. A half without values gets no child. The children may run one after the other: launch them into any
/// stream whose kernels finish before the sum starts.
///
/// @param in     n values, not modified
/// @param n      0 or more
/// @param out    n values, every one written
/// @param least  one value: the smallest; INT_MAX for n = 0
/// @param total  one value; 0 for n = 0
/// @note  after Zahran's and NVIDIA's first examples of nested launches, with CUDA 12's rules
void parent_child(const int* in, int n, int* out, int* least, long long* total);

// ---- quicksort ------------------------------------------------------------------------------------------

constexpr int kSortBlock = 512;  ///< threads of a block that sorts
constexpr int kCutOff =
    1024;                   ///< a range of at most this many values is sorted in shared memory, by one block
constexpr int kStack = 32;  ///< parts that a block may keep for later at the same time

/// Sorts n values in ascending order, in place.
///
/// A block partitions its range into three parts: less than a pivot, equal to it, and greater. Of the two outer parts, a child
/// sorts the smaller one if it has more than kCutOff values; otherwise the block sorts it itself. The block continues with the
/// larger part. If the launch of a child is refused, the block keeps the larger part for later and sorts the smaller part
/// itself, so that at most log2(n) parts are kept, whatever the values are. The function finishes for all inputs. If all values
/// are equal, it launches no child.
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
    const int* column;     ///< column of each entry; the entries of a row can be in any order
    const float* value;
};

/// A row with more entries than this is dense.
constexpr int kDense = 256;

/// Computes y = A x with one thread per row. Given, for comparison: a long row keeps one thread busy while the other 31 lanes wait.
void spmv_thread_per_row(Csr a, const float* x, float* y);

/// Computes y = A x with one warp per row. Given, for comparison: fast for rows of medium length, wasteful for short rows.
void spmv_warp_per_row(Csr a, const float* x, float* y);

/// Computes y = A x with one thread per row, and one child of kBlock threads for each dense row. If the launch of a child is
/// refused, the thread computes the row itself.
///
/// @param a  entries may be many, few, or none in a row
/// @param x  one value per column, not modified
/// @param y  a.rows values, every one written: 0 for an empty row
void adaptive_spmv(Csr a, const float* x, float* y);

/// Computes y = A x without dynamic parallelism: a first kernel computes the short rows and lists the dense ones. A second kernel,
/// which the host launches with a fixed grid, processes that list. Given, for comparison.
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

/// A cell of an octree. The points of all its descendants are stored together, in the order of the tree.
struct Node {
    Box bounds;       ///< smallest box around its points, not the cube of the cell
    int first_child;  ///< index of the first of its 8 children, which are consecutive; 0 for a leaf
    int first;        ///< index of its first point
    int count;        ///< number of its points; can be 0
};

/// nodes[0] is the root.
struct Octree {
    const Node* nodes;
    const float3* points;
    int node_count, point_count;
};

/// Memory for the result.
struct Found {
    int* points;   ///< room for `capacity` indices, in any order; those beyond *count are not written
    int capacity;  ///< 0 or more
    int* count;    ///< number of points in the box, even if there is no room for all of them
};

/// A cell with at most this many points is searched without visiting its children.
constexpr int kSearch = 512;

/// Finds the points in a box. A kernel of one block visits one cell. If the cell is small or a leaf, the block tests its
/// points. Otherwise it launches one child kernel for each of the 8 child cells that overlaps the box. If a launch is refused,
/// the block searches that cell itself.
///
/// Compare a cell with the box before the launch: no kernel is launched for a cell that does not overlap the box, except for
/// the root. The points of a cell that is completely in the box need not be tested one by one. A warp adds to *found.count at most
/// once for each 32 points that it tests, and not at all if it has no hit among them.
///
/// @param tree   the points and their cells, not modified
/// @param box    includes its border
/// @param found  *found.count is the number of points in the box; if it is more than the capacity, the first `capacity` points
///               that were found are stored
void octree_query(Octree tree, Box box, Found found);

/// Does the same: the host launches one kernel per level and waits for each. Given, for comparison. `cells`: two lists of
/// tree.node_count cells; `sizes`: two numbers.
void octree_host_driven(Octree tree, Box box, Found found, int* cells, int* sizes);

/// Does the same with a fixed grid whose warps take cells from a queue until it is empty. Given, for comparison.
/// `cells`: tree.node_count cells; `queue`: three numbers.
void octree_persistent(Octree tree, Box box, Found found, int* cells, int* queue);

/// Does the same without the tree: tests every point. Given, for comparison.
void octree_brute_force(Octree tree, Box box, Found found);

// ---- refine ---------------------------------------------------------------------------------------------

/// A piece of a curve, from sample `first` to sample `last` > first.
struct Piece {
    int first, last;
};

struct RefineState {
    int next_count;       ///< number of pieces found for the next level
    int done_count;       ///< number of pieces that are not cut
    unsigned int ticket;  ///< number of blocks of this level that have finished
    int levels;           ///< number of levels that have run
    int overflow;         ///< not 0 if a list had no room for a piece
};

/// Memory of refine. The caller owns it.
struct Refinement {
    Piece* now;          ///< capacity pieces
    Piece* next;         ///< capacity pieces
    Piece* done;         ///< capacity pieces: the result, in any order
    int capacity;        ///< 1 or more
    RefineState* state;  ///< undefined before the call; describes the result after it
};

/// Approximates a curve by straight pieces. A piece is cut in its middle m = (first + last) / 2 if m lies between its ends
/// and |h[first] - 2 h[m] + h[last]| > limit; otherwise it is finished. Starts with one piece, from 0 to n - 1.
///
/// One kernel examines all pieces of a level. The block that finishes last launches the next level into the kernel's tail, with
/// as many blocks as that level needs. Levels therefore do not nest, and two pending launches are enough for any number of
/// levels. The first level may be the kernel that the host launches. A list never holds more than `capacity` pieces. If the
/// halves of a piece have no room, the piece is finished without being cut, and overflow is set. If a finished piece has no
/// room, it is counted but not stored, and overflow is set.
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
    int changed;  ///< 1 if this round has changed a label, otherwise 0
    int rounds;   ///< number of rounds that have run
};

/// Labels each vertex of a graph with the smallest vertex that it is connected to. Rounds over all edges repeat until one of them
/// changes nothing. The host launches a kernel that initializes labels and state, then the loop, and does not wait. The loop is a
/// kernel of one thread, which launches a round, and itself into its tail. Rounds therefore do not nest, and a few pending launches
/// are enough for any number of rounds.
///
/// The threads of a round read and write labels while other threads do so. Use atomic accesses (atomicMin, a relaxed
/// cuda::atomic_ref). A plain store is a race, even though a later round would repair a lost update.
///
/// @param edges        m edges between vertices 0 .. n - 1, not modified
/// @param m            0 or more
/// @param labels       n values, every one written
/// @param n            1 or more
/// @param most_rounds  1 or more: the loop ends after at most this many rounds, even if the last one changed something
/// @param state        undefined before the call; after it, `rounds` is the number of rounds that have run (1 or more), and
///                     `changed` is 1 if the last of them changed a label, otherwise 0
void tail_loop(const Edge* edges, int m, int* labels, int n, int most_rounds, LoopState* state);

/// Does the same: the host launches one round after another, and waits for each to learn whether it changed something. Given, for
/// comparison.
void host_loop(const Edge* edges, int m, int* labels, int n, int most_rounds, LoopState* state);

}  // namespace nested

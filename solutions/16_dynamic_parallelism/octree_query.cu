// 16_dynamic_parallelism/octree_query: a recursion over cells, with a queue and an answer of limited size.
//
// Build: nvcc -std=c++17 -rdc=true -I../../common -I../../tests octree_query.cu
//        ../../tests/16_dynamic_parallelism/octree_query_test.cu -o octree_query
// Run:   ./octree_query
//
//   v1  octree_v1_host_driven: one launch per level; the host waits for each (given)
//   v2  octree_v2_recursive: one kernel per cell, which launches the kernels of its child cells
//   v3  octree_v3_persistent: the warps of a fixed grid take cells from a queue
//   v4  octree_v4_brute_force: tests every point, without the tree (given)

#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"
#include "kit.cuh"

namespace nested {

constexpr int kVisit = 128;  // threads per visited cell

__device__ bool holds(const Box& box, float3 p) {
    return box.low.x <= p.x && p.x <= box.high.x && box.low.y <= p.y && p.y <= box.high.y &&
           box.low.z <= p.z && p.z <= box.high.z;
}

__device__ bool meets(const Box& a, const Box& b) {
    return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
           a.low.z <= b.high.z && b.low.z <= a.high.z;
}

/// Appends the points of the lanes that have a hit to the answer. All lanes of a warp must call it.
// [append]
__device__ void append(bool hit, int point, Found found) {
    // TODO(1): Execute at most one atomicAdd on *found.count per warp, for all of its hits, and none if it has no hit. Give
    // each hit its own place. Count hits that do not fit into found.points, but do not store them. About 9 lines.
    // BEGIN SOLUTION 1
    unsigned int hits = __ballot_sync(0xffffffffu, hit);
    if (hits == 0) return;
    int lane = threadIdx.x % 32;
    int leader = __ffs(hits) - 1;
    int place = 0;
    if (lane == leader) place = atomicAdd(found.count, __popc(hits));
    place = __shfl_sync(0xffffffffu, place, leader);
    place += __popc(hits & ((1u << lane) - 1));
    if (hit && place < found.capacity) found.points[place] = point;
    // STARTER KIT_TODO(1, hit, point, found);
    // END SOLUTION 1
}
// [/append]

/// Tests the points of a cell with a block or with one warp; this is thread `thread` of `threads`, all of which must call it.
__device__ void search(Octree tree, const Node& cell, Box box, Found found, int thread, int threads) {
    int last = cell.first + cell.count;
    for (int first = cell.first; first < last; first += threads) {
        int i = first + thread;
        append(i < last && holds(box, tree.points[i]), i, found);
    }
}

/// Returns whether a cell is searched immediately, without visiting its child cells.
__device__ bool search_now(const Node& cell) {
    return cell.first_child == 0 || cell.count <= kSearch;
}

// v1: one launch per level. Each block visits a cell and writes the child cells that meet the box to the next list.
// Mapping : one block per cell of the level.
// Cost    : per level, one launch and one copy to the host, which waits for the copy.
// Requires: *next_size is 0 when the kernel starts.
// Next    : the host only forwards a number from the device, so let the kernel launch; see v2.
__global__ void octree_v1_level(Octree tree, Box box, Found found, const int* now, int* next,
                                int* next_size) {
    Node cell = tree.nodes[now[blockIdx.x]];
    if (search_now(cell)) {
        search(tree, cell, box, found, threadIdx.x, kVisit);
    } else if (threadIdx.x < 8) {
        int child = cell.first_child + threadIdx.x;
        if (tree.nodes[child].count > 0 && meets(tree.nodes[child].bounds, box))
            next[atomicAdd(next_size, 1)] = child;
    }
}

__global__ void clear_count(Found found) {
    *found.count = 0;
}

void octree_host_driven(Octree tree, Box box, Found found, int* cells, int* sizes) {
    clear_count<<<1, 1>>>(found);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemsetAsync(cells, 0, sizeof(int)));  // the list starts with the root, cell 0
    int* now = cells;
    int* next = cells + tree.node_count;
    for (int size = 1; size > 0;) {
        CUDA_CHECK(cudaMemsetAsync(sizes, 0, sizeof(int)));
        octree_v1_level<<<size, kVisit>>>(tree, box, found, now, next, sizes);
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaMemcpy(&size, sizes, sizeof(int), cudaMemcpyDeviceToHost));
        int* swapped = now;
        now = next;
        next = swapped;
    }
}

// v2: one kernel per cell, which launches the kernels of its child cells.
// Mapping : one block of kVisit threads per cell.
// Cost    : one launch for each visited cell; no lists, and no work for the host.
// Requires: -rdc=true. The answer is a set, because the order of the cells is not defined.
// Next    : a launch costs more than searching a small cell; see v3.
// [v2]
__global__ void octree_v2_recursive(Octree tree, Box box, Found found, int visited) {
    __shared__ int refused[8];
    __shared__ int refused_count;
    if (threadIdx.x == 0) refused_count = 0;
    __syncthreads();  // thread 0 sets the count to 0 before other threads increase it
    // TODO(2): Search the visited cell, or launch a kernel for each child cell that can contain a point of the box: one block
    // of kVisit threads, fire and forget. If a launch is refused, add the cell to `refused`. About 12 lines.
    // BEGIN SOLUTION 2
    Node cell = tree.nodes[visited];
    if (search_now(cell)) {
        search(tree, cell, box, found, threadIdx.x, kVisit);
        return;
    }

    if (threadIdx.x < 8) {
        int child = cell.first_child + threadIdx.x;
        if (tree.nodes[child].count > 0 && meets(tree.nodes[child].bounds, box)) {
            octree_v2_recursive<<<1, kVisit, 0, cudaStreamFireAndForget>>>(tree, box, found, child);
            if (cudaGetLastError() != cudaSuccess) refused[atomicAdd(&refused_count, 1)] = child;
        }
    }
    // STARTER KIT_TODO(2, tree, box, found, visited, refused, refused_count);
    // END SOLUTION 2

    // TODO(3): Search the cells of refused launches here, with all threads of the block. About 3 lines.
    // BEGIN SOLUTION 3
    __syncthreads();  // threads 0 to 7 write the list, then all read it
    for (int i = 0; i < refused_count; ++i)
        search(tree, tree.nodes[refused[i]], box, found, threadIdx.x, kVisit);
    // STARTER KIT_TODO(3, refused);
    // END SOLUTION 3
}

__global__ void octree_v2_root(Octree tree, Box box, Found found) {
    *found.count = 0;
    octree_v2_recursive<<<1, kVisit>>>(tree, box, found, 0);
    if (cudaGetLastError() != cudaSuccess) __trap();
}
// [/v2]

void octree_query(Octree tree, Box box, Found found) {
    octree_v2_root<<<1, 1>>>(tree, box, found);
    CUDA_CHECK_LAUNCH();
}

/// A queue of cells. Each place is taken and filled once, in order; a place that is not filled yet contains -1.
struct CellQueue {
    int* cells;
    int* taken;       ///< places that warps have taken; these warps wait, or have finished
    int* filled;      ///< places that contain a cell, or will get one soon
    int* unfinished;  ///< cells that are in the queue or being visited
};

// v3: a fixed grid whose warps take cells from a queue until none is left.
// Mapping : one warp per cell.
// Cost    : four atomics per cell; warps without work wait in a loop.
// Requires: the queue holds the root; all other places hold -1.
// Next    : is the tree worth it? See v4.
// [v3]
__global__ void octree_v3_persistent(Octree tree, Box box, Found found, CellQueue queue) {
    int lane = threadIdx.x % 32;
    for (;;) {
        // TODO(4): Let lane 0 take the next place of the queue and wait until it contains a cell, or until no cell is unfinished;
        // in that case the place stays empty. Other warps access all of this with atomics, so lane 0 must use atomics, too. Give
        // the cell to every lane. If there is no cell, the warp is done. About 8 lines.
        // BEGIN SOLUTION 4
        int cell_index = -1;
        if (lane == 0) {
            int place = atomicAdd(queue.taken, 1);
            while (place < tree.node_count && cell_index < 0 && atomicAdd(queue.unfinished, 0) > 0)
                cell_index = atomicAdd(&queue.cells[place], 0);
        }
        cell_index = __shfl_sync(0xffffffffu, cell_index, 0);
        if (cell_index < 0) return;
        // STARTER int cell_index = -1;
        // STARTER KIT_TODO(4, queue, lane);
        // STARTER if (cell_index < 0) return;
        // END SOLUTION 4
        // TODO(5): Let the warp search the cell, or put the child cells that can contain a point of the box into the queue. Then
        // mark this cell as finished. No warp must ever see 0 unfinished cells while a cell can still be added. About 12 lines.
        // BEGIN SOLUTION 5
        Node cell = tree.nodes[cell_index];
        if (search_now(cell)) {
            search(tree, cell, box, found, lane, 32);
        } else if (lane < 8) {
            int child = cell.first_child + lane;
            if (tree.nodes[child].count > 0 && meets(tree.nodes[child].bounds, box)) {
                atomicAdd(queue.unfinished, 1);
                atomicExch(&queue.cells[atomicAdd(queue.filled, 1)], child);
            }
        }
        __syncwarp();  // lanes 0 to 7 count the child cells before lane 0 subtracts this cell
        if (lane == 0) atomicSub(queue.unfinished, 1);
        // STARTER KIT_TODO(5, tree, box, found, queue);
        // END SOLUTION 5
    }
}
// [/v3]

__global__ void start_queue(Found found, CellQueue queue) {
    *found.count = 0;
    queue.cells[0] = 0;
    *queue.taken = 0;
    *queue.filled = *queue.unfinished = 1;
}

void octree_persistent(Octree tree, Box box, Found found, int* cells, int* queue_memory) {
    CellQueue queue = {cells, queue_memory, queue_memory + 1, queue_memory + 2};
    CUDA_CHECK(cudaMemsetAsync(cells, 0xff, tree.node_count * sizeof(int)));
    start_queue<<<1, 1>>>(found, queue);
    CUDA_CHECK_LAUNCH();
    int multiprocessors = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    int blocks = std::min(4 * multiprocessors, kit::ceil_div(tree.node_count, 2 * kVisit / 32));
    octree_v3_persistent<<<blocks, kVisit>>>(tree, box, found, queue);
    CUDA_CHECK_LAUNCH();
}

// v4: brute force: tests every point, without the tree.
// Mapping : one thread per point, grid-stride.
// Cost    : 12 bytes read per point, regardless of the box; only one launch.
// Requires: whole warps.
// Next    : nothing; compare the four versions.
__global__ void octree_v4_brute_force(Octree tree, Box box, Found found) {
    Node all = {{}, 0, 0, tree.point_count};
    search(tree, all, box, found, blockIdx.x * kVisit + threadIdx.x, gridDim.x * kVisit);
}

void octree_brute_force(Octree tree, Box box, Found found) {
    clear_count<<<1, 1>>>(found);
    CUDA_CHECK_LAUNCH();
    if (tree.point_count == 0) return;
    int multiprocessors = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    int blocks = std::min(16 * multiprocessors, kit::ceil_div(tree.point_count, kVisit));
    octree_v4_brute_force<<<blocks, kVisit>>>(tree, box, found);
    CUDA_CHECK_LAUNCH();
}

}  // namespace nested

// 15_work_queues/stack_traversal: warps that walk an octree with a stack in shared memory.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests stack_traversal.cu
//        ../../tests/15_work_queues/stack_traversal_test.cu -o stack_traversal
// Run:   ./stack_traversal
//
//   v6  boxes_v6_threads: given, one thread per box, with its own stack
//   v7  boxes_v7_warps: a warp claims a box, and searches the tree with a stack in shared memory

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "15_work_queues/15_work_queues.hpp"
#include "kit.cuh"

namespace cg = cooperative_groups;

namespace work_queues {

using nested::Box;
using nested::Node;
using nested::Octree;

[[maybe_unused]] constexpr unsigned int all_lanes = 0xffffffffu;
constexpr int kWarps = kBlock / kLanes;

__device__ bool holds(const Box& box, float3 p) {
    return box.low.x <= p.x && p.x <= box.high.x && box.low.y <= p.y && p.y <= box.high.y &&
           box.low.z <= p.z && p.z <= box.high.z;
}

/// Returns whether a cell can have points in the box.
__device__ bool meets(const Node& cell, const Box& box) {
    const Box& b = cell.bounds;
    return cell.count > 0 && b.low.x <= box.high.x && box.low.x <= b.high.x && b.low.y <= box.high.y &&
           box.low.y <= b.high.y && b.low.z <= box.high.z && box.low.z <= b.high.z;
}

/// Returns whether to search a cell without visiting its children. `kept` is the number of cells on the stack.
__device__ bool search_now(const Node& cell, int kept) {
    return cell.first_child == 0 || cell.count <= kLanes || kept + 8 > kStack;
}

// v6: each thread searches the tree alone.
// Mapping : one thread per box.
// Cost    : a warp takes as long as its largest box, and its lanes read scattered addresses. The stack is in local memory.
// Requires: nothing; n can be any size.
// Next    : 32 lanes can test 32 points of one cell; see v7.
// [v6]
__global__ void boxes_v6_threads(Octree tree, const Box* boxes, int n, int* counts) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n) return;
    Box box = boxes[k];
    int stack[kStack];
    int kept = 0;
    int hits = 0;
    stack[kept++] = 0;
    while (kept > 0) {
        Node cell = tree.nodes[stack[--kept]];
        if (search_now(cell, kept)) {
            for (int i = cell.first; i < cell.first + cell.count; ++i) hits += holds(box, tree.points[i]);
        } else {
            for (int below = cell.first_child; below < cell.first_child + 8; ++below)
                if (meets(tree.nodes[below], box)) stack[kept++] = below;
        }
    }
    counts[k] = hits;
}
// [/v6]

// v7: like v6, but a warp searches together, and a warp that has finished takes the next box.
// Mapping : a fixed number of warps; one warp per box, 8 lanes for the children of a cell, 32 lanes for its points.
// Cost    : one atomic per box; a stack of kStack cells per warp in shared memory.
// Requires: *next is 0; whole warps in a block.
// Next    : a task could put new cells into one queue for all warps, not on its own stack; see v9, and v3 of octree_query in 16.
// [v7]
__global__ void boxes_v7_warps(Octree tree, const Box* boxes, int n, int* counts, unsigned int* next) {
    __shared__ int stacks[kWarps][kStack];
    auto warp = cg::tiled_partition<kLanes>(cg::this_thread_block());
    int* stack = stacks[warp.meta_group_rank()];
    unsigned int lane = warp.thread_rank();
    for (;;) {
        unsigned int k = 0;
        if (lane == 0) k = atomicAdd(next, 1u);
        k = warp.shfl(k, 0);
        if (k >= static_cast<unsigned int>(n)) return;
        Box box = boxes[k];
        int hits = 0;  // the hits of this lane
        int kept = 1;  // number of cells on the stack, first the root; the same in all lanes
        if (lane == 0) stack[0] = 0;
        while (kept > 0) {
            // TODO(1): Take the last cell of the stack, the same one in all lanes. A lane reads an entry that another lane wrote,
            // and another lane will overwrite the entry that it has read. 3 lines.
            // BEGIN SOLUTION 1
            __syncwarp();  // the writes to the stack come before this read
            Node cell = tree.nodes[stack[--kept]];
            __syncwarp();  // all lanes have read before a lane overwrites the entry
            // STARTER Node cell = {};
            // STARTER KIT_TODO(1, tree, stack, kept, cell);
            // END SOLUTION 1

            // TODO(2): Search the cell, 32 points at a time; each lane counts its own hits. About 5 lines.
            // BEGIN SOLUTION 2
            if (search_now(cell, kept)) {
                for (int i = cell.first + lane; i < cell.first + cell.count; i += kLanes)
                    hits += holds(box, tree.points[i]);
                continue;
            }
            // STARTER KIT_TODO(2, box, hits, search_now, holds);
            // END SOLUTION 2

            // TODO(3): Otherwise push those of the 8 children that meet the box: 8 lanes test one child each, all lanes vote, and
            // each finds its place, as in ballot_compact of 09. About 4 lines.
            // BEGIN SOLUTION 3
            bool put = lane < 8 && meets(tree.nodes[cell.first_child + lane], box);
            unsigned int votes = __ballot_sync(all_lanes, put);
            if (put) stack[kept + __popc(votes & ((1u << lane) - 1))] = cell.first_child + lane;
            kept += __popc(votes);
            // STARTER KIT_TODO(3, meets, lane);
            // END SOLUTION 3
        }

        // TODO(4): Add the hits of all lanes with a reduction of the warp, and let one lane write the sum. About 2 lines.
        // BEGIN SOLUTION 4
        hits = cg::reduce(warp, hits, cg::plus<int>());
        if (lane == 0) counts[k] = hits;
        // STARTER KIT_TODO(4, counts, warp);
        // END SOLUTION 4
    }
}
// [/v7]

void count_by_threads(Octree tree, const Box* boxes, int n, int* counts) {
    if (n == 0) return;
    boxes_v6_threads<<<kit::ceil_div(n, kBlock), kBlock>>>(tree, boxes, n, counts);
    CUDA_CHECK_LAUNCH();
}

void stack_traversal(Octree tree, const Box* boxes, int n, int* counts, unsigned int* next, int blocks) {
    CUDA_CHECK(cudaMemsetAsync(next, 0, sizeof(unsigned int)));
    boxes_v7_warps<<<blocks, kBlock>>>(tree, boxes, n, counts, next);
    CUDA_CHECK_LAUNCH();
}

}  // namespace work_queues

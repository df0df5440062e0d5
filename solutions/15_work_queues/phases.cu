// 15_work_queues/phases: a search, level after level, in one launch.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests phases.cu
//        ../../tests/15_work_queues/phases_test.cu -o phases
// Run:   ./phases
//
//   v8  levels_v8_one: given, one launch per level; the host waits for each
//   v9  levels_v9_all: all levels in one launch, with a barrier of the grid after each

#include <cooperative_groups.h>

#include <algorithm>
#include <utility>

#include "15_work_queues/15_work_queues.hpp"
#include "kit.cuh"

namespace work_queues {

namespace cg = cooperative_groups;

/// Gives each neighbour that no thread has visited its level, and adds it to the list of the next level.
__device__ void visit(Graph graph, int vertex, int level, int* levels, int* next, unsigned int* next_size) {
    for (int e = graph.row_start[vertex]; e < graph.row_start[vertex + 1]; ++e) {
        int other = graph.neighbour[e];
        if (atomicCAS(&levels[other], -1, level + 1) == -1) next[atomicAdd(next_size, 1u)] = other;
    }
}

// v8: one launch per level.
// Mapping : one thread per vertex of the level.
// Cost    : per level one launch, one copy to the host, and a wait of the host for the copy.
// Requires: *next_size is 0.
// Next    : the host only passes the size on to the next launch; see v9.
__global__ void levels_v8_one(Graph graph, int level, int* levels, const int* now, unsigned int size,
                              int* next, unsigned int* next_size) {
    unsigned int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < size) visit(graph, now[k], level, levels, next, next_size);
}

__global__ void start_search(int source, int* levels, int* now) {
    levels[source] = 0;
    now[0] = source;
}

void phases_by_host(Graph graph, int source, int* levels, Frontier frontier) {
    CUDA_CHECK(cudaMemsetAsync(levels, 0xff, graph.vertices * sizeof(int)));
    start_search<<<1, 1>>>(source, levels, frontier.now);
    CUDA_CHECK_LAUNCH();
    unsigned int size = 1;
    for (int level = 0; size > 0; ++level) {
        CUDA_CHECK(cudaMemsetAsync(frontier.sizes, 0, sizeof(unsigned int)));
        levels_v8_one<<<kit::ceil_div(size, kBlock), kBlock>>>(graph, level, levels, frontier.now, size,
                                                               frontier.next, frontier.sizes);
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaMemcpy(&size, frontier.sizes, sizeof(size), cudaMemcpyDeviceToHost));
        std::swap(frontier.now, frontier.next);
    }
}

// v9: like v8, but the blocks stay, and all of them synchronize after each level.
// Mapping : as many blocks as are resident together; grid-stride over the vertices of the level.
// Cost    : per level one barrier of the grid; three sizes take turns: one is read, one grows, one is set to 0 for later.
// Requires: a cooperative launch.
// Next    : topic 16, where a kernel launches the next level itself.
// [v9]
__global__ void levels_v9_all(Graph graph, int source, int* levels, Frontier frontier) {
    cg::grid_group grid = cg::this_grid();
    // TODO(1): Set up the start: only the source is visited, the first level has one vertex, and the next levels are empty. All
    // blocks must see this. About 8 lines.
    // BEGIN SOLUTION 1
    for (unsigned int v = grid.thread_rank(); v < static_cast<unsigned int>(graph.vertices); v += grid.size())
        levels[v] = v == static_cast<unsigned int>(source) ? 0 : -1;
    if (grid.thread_rank() == 0) {
        frontier.now[0] = source;
        frontier.sizes[0] = 1;
        frontier.sizes[1] = frontier.sizes[2] = 0;
    }
    grid.sync();
    // STARTER KIT_TODO(1, source, grid);
    // END SOLUTION 1

    // TODO(2): Visit level after level, until one has no vertices. Set the size of the level after the next to 0 here. When has
    // every thread read its old value, and when does the first thread add to it? About 11 lines.
    // BEGIN SOLUTION 2
    for (int level = 0;; ++level) {
        unsigned int size = frontier.sizes[level % 3];
        if (size == 0) return;  // the same size in all blocks, so all of them leave
        if (grid.thread_rank() == 0) frontier.sizes[(level + 2) % 3] = 0;
        for (unsigned int k = grid.thread_rank(); k < size; k += grid.size())
            visit(graph, frontier.now[k], level, levels, frontier.next, &frontier.sizes[(level + 1) % 3]);
        grid.sync();
        int* swapped = frontier.now;
        frontier.now = frontier.next;
        frontier.next = swapped;
    }
    // STARTER KIT_TODO(2, graph, levels, frontier, visit);
    // END SOLUTION 2
}
// [/v9]

// [launch]
void phases(Graph graph, int source, int* levels, Frontier frontier) {
    // TODO(3): Launch cooperatively, with as many blocks as are resident together, but no more than the vertices need. See
    // grid_barrier of 10. About 7 lines.
    // BEGIN SOLUTION 3
    int device = 0, processors = 0, each = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, levels_v9_all, kBlock, 0));
    int blocks = std::min(each * processors, kit::ceil_div(graph.vertices, kBlock));
    void* arguments[] = {&graph, &source, &levels, &frontier};
    CUDA_CHECK(cudaLaunchCooperativeKernel(levels_v9_all, dim3(blocks), dim3(kBlock), arguments));
    // STARTER KIT_TODO(3, graph, source, levels, frontier);
    // END SOLUTION 3
}
// [/launch]

}  // namespace work_queues

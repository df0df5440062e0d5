// Searches the octree level by level in one cooperative launch: breadth-first over the array of cells, as in the source [D].
// Where v1 returns to the host, it calls grid.sync().
#pragma once

#include <cooperative_groups.h>

#include <algorithm>

#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"
#include "kit.cuh"

namespace contest {

constexpr int kLevelBlock = 256;

__device__ inline bool in_box(const nested::Box& box, float3 p) {
    return box.low.x <= p.x && p.x <= box.high.x && box.low.y <= p.y && p.y <= box.high.y &&
           box.low.z <= p.z && p.z <= box.high.z;
}

__device__ inline bool meets_box(const nested::Node& cell, const nested::Box& box) {
    const nested::Box& b = cell.bounds;
    return cell.count > 0 && b.low.x <= box.high.x && box.low.x <= b.high.x && b.low.y <= box.high.y &&
           box.low.y <= b.high.y && b.low.z <= box.high.z && box.low.z <= b.high.z;
}

/// Each warp takes a cell of the level. Three sizes take turns: one is read, one grows, one is reset to 0 for the next level.
__global__ void octree_all_levels(nested::Octree tree, nested::Box box, nested::Found found, int* now,
                                  int* next, int* sizes) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const int rank = static_cast<int>(grid.thread_rank()), threads = static_cast<int>(grid.size());
    const int lane = rank % 32;
    if (rank == 0) {
        *found.count = 0;
        now[0] = 0;  // the root
        sizes[0] = 1;
        sizes[1] = sizes[2] = 0;
    }
    grid.sync();
    for (int level = 0;; ++level) {
        const int size = sizes[level % 3];
        if (size == 0) return;  // in all blocks at the same level
        if (rank == 0) sizes[(level + 2) % 3] = 0;
        for (int k = rank / 32; k < size; k += threads / 32) {
            const nested::Node cell = tree.nodes[now[k]];
            if (cell.first_child != 0 && cell.count > nested::kSearch) {
                const int below = cell.first_child + lane;
                if (lane < 8 && meets_box(tree.nodes[below], box))
                    next[atomicAdd(&sizes[(level + 1) % 3], 1)] = below;
                continue;
            }
            for (int first = cell.first; first < cell.first + cell.count; first += 32) {
                const int i = first + lane;
                const bool hit = i < cell.first + cell.count && in_box(box, tree.points[i]);
                const unsigned int hits = __ballot_sync(0xffffffffu, hit);
                int place = 0;
                if (lane == 0 && hits != 0) place = atomicAdd(found.count, __popc(hits));
                place = __shfl_sync(0xffffffffu, place, 0) + __popc(hits & ((1u << lane) - 1));
                if (hit && place < found.capacity) found.points[place] = i;
            }
        }
        grid.sync();
        int* const swapped = now;
        now = next;
        next = swapped;
    }
}

/// Requires two lists of tree.node_count cells in `cells`, and three numbers in `sizes`.
inline void octree_by_levels(nested::Octree tree, nested::Box box, nested::Found found, int* cells,
                             int* sizes) {
    int processors = 0, each = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, octree_all_levels, kLevelBlock, 0));
    int* next = cells + tree.node_count;
    void* arguments[] = {&tree, &box, &found, &cells, &next, &sizes};
#ifdef KIT_CPU
    const int blocks = 8;
#else
    const int blocks = processors * std::min(each, 2);
#endif
    CUDA_CHECK(cudaLaunchCooperativeKernel(octree_all_levels, dim3(static_cast<unsigned int>(blocks)),
                                           dim3(kLevelBlock), arguments));
}

}  // namespace contest

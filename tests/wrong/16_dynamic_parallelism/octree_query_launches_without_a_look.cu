// wrong: A child is launched for every cell below, also where the box is elsewhere.
// diagnosis: look before you launch
// backends: cpu (only the executor counts who launched)
// sanitizer.all: compute-sanitizer does not follow kernels that kernels launch

#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"
#include "kit.cuh"

namespace nested {

constexpr int kVisit = 128;  // threads that visit a cell

__device__ bool holds(const Box& box, float3 p) {
    return box.low.x <= p.x && p.x <= box.high.x && box.low.y <= p.y && p.y <= box.high.y &&
           box.low.z <= p.z && p.z <= box.high.z;
}

__device__ bool meets(const Box& a, const Box& b) {
    return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
           a.low.z <= b.high.z && b.low.z <= a.high.z;
}

__device__ void append(bool hit, int point, Found found) {
    unsigned int hits = __ballot_sync(0xffffffffu, hit);
    if (hits == 0) return;
    int lane = threadIdx.x % 32;
    int leader = __ffs(hits) - 1;
    int place = 0;
    if (lane == leader) place = atomicAdd(found.count, __popc(hits));
    place = __shfl_sync(0xffffffffu, place, leader);
    place += __popc(hits & ((1u << lane) - 1));
    if (hit && place < found.capacity) found.points[place] = point;
}

__device__ void search(Octree tree, const Node& cell, Box box, Found found, int thread, int threads) {
    int last = cell.first + cell.count;
    for (int first = cell.first; first < last; first += threads) {
        int i = first + thread;
        append(i < last && holds(box, tree.points[i]), i, found);
    }
}

__device__ bool search_now(const Node& cell) {
    return cell.first_child == 0 || cell.count <= kSearch;
}

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
    CUDA_CHECK(cudaMemsetAsync(cells, 0, sizeof(int)));  // the root
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

__global__ void octree_v2_recursive(Octree tree, Box box, Found found, int visited) {
    __shared__ int refused[8];
    __shared__ int refused_count;
    if (threadIdx.x == 0) refused_count = 0;
    __syncthreads();  // before anybody counts
    Node cell = tree.nodes[visited];
    if (search_now(cell)) {
        search(tree, cell, box, found, threadIdx.x, kVisit);
        return;
    }

    if (threadIdx.x < 8) {
        int child = cell.first_child + threadIdx.x;
        if (tree.nodes[child].count > 0) {
            octree_v2_recursive<<<1, kVisit, 0, cudaStreamFireAndForget>>>(tree, box, found, child);
            if (cudaGetLastError() != cudaSuccess) refused[atomicAdd(&refused_count, 1)] = child;
        }
    }

    __syncthreads();  // all know what was refused
    for (int i = 0; i < refused_count; ++i)
        search(tree, tree.nodes[refused[i]], box, found, threadIdx.x, kVisit);
}

__global__ void octree_v2_root(Octree tree, Box box, Found found) {
    *found.count = 0;
    octree_v2_recursive<<<1, kVisit>>>(tree, box, found, 0);
    if (cudaGetLastError() != cudaSuccess) __trap();
}

void octree_query(Octree tree, Box box, Found found) {
    octree_v2_root<<<1, 1>>>(tree, box, found);
    CUDA_CHECK_LAUNCH();
}

struct CellQueue {
    int* cells;
    int* taken;       ///< places that warps wait at, or have done
    int* filled;      ///< places that have a cell, or will have one at once
    int* unfinished;  ///< cells that are in the queue or being visited
};

__global__ void octree_v3_persistent(Octree tree, Box box, Found found, CellQueue queue) {
    int lane = threadIdx.x % 32;
    for (;;) {
        int cell_index = -1;
        if (lane == 0) {
            int place = atomicAdd(queue.taken, 1);
            while (place < tree.node_count && cell_index < 0 && atomicAdd(queue.unfinished, 0) > 0)
                cell_index = atomicAdd(&queue.cells[place], 0);
        }
        cell_index = __shfl_sync(0xffffffffu, cell_index, 0);
        if (cell_index < 0) return;
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
        __syncwarp();  // the cells below are counted before this one is no longer
        if (lane == 0) atomicSub(queue.unfinished, 1);
    }
}

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

__global__ void octree_v4_flattened(Octree tree, Box box, Found found) {
    Node all = {{}, 0, 0, tree.point_count};
    search(tree, all, box, found, blockIdx.x * kVisit + threadIdx.x, gridDim.x * kVisit);
}

void octree_flattened(Octree tree, Box box, Found found) {
    clear_count<<<1, 1>>>(found);
    CUDA_CHECK_LAUNCH();
    if (tree.point_count == 0) return;
    octree_v4_flattened<<<std::min(16 * 132, kit::ceil_div(tree.point_count, kVisit)), kVisit>>>(tree, box,
                                                                                                 found);
    CUDA_CHECK_LAUNCH();
}

}  // namespace nested

// The versions that the demo compares with device_update: a worst-case grid, and a host that reads the number of chosen
// values. All of them choose with the kernel of the solution.
#pragma once

#include <algorithm>
#include <vector>

#include "loops.hpp"

namespace device_graphs {
// Defined in the solution.
__global__ void begin_choice(int* count);
__global__ void choose(const int* values, int n, const int* limit, int* chosen, int* count);
__global__ void count_steps(const int* values, const int* chosen, int count, int* steps);
}  // namespace device_graphs

namespace candidates {

using device_graphs::Candidates;
using device_graphs::kBlock;

/// Works like count_steps, but reads the count from memory, because it is not known at the launch.
__global__ void count_steps_of(const int* values, const int* chosen, const int* count, int* steps) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= *count) return;
    int done = 0;
    for (unsigned x = values[chosen[k]]; x > 1; ++done) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps[chosen[k]] = done;
}

/// Returns a graph whose last kernel has blocks for all values.
inline cudaGraph_t worst_case(const Candidates& work) {
    cudaGraph_t graph = loops::new_graph();
    const int blocks = loops::blocks_for(work.n);
    const cudaGraphNode_t begun =
        device_graphs::add_kernel(graph, {}, device_graphs::begin_choice, 1, 1, work.count);
    const cudaGraphNode_t chosen =
        device_graphs::add_kernel(graph, {begun}, device_graphs::choose, blocks, kBlock, work.values, work.n,
                                  work.limit, work.chosen, work.count);
    device_graphs::add_kernel(graph, {chosen}, count_steps_of, blocks, kBlock, work.values, work.chosen,
                              work.count, work.steps);
    return graph;
}

/// Launches the last kernel from the host, which first reads the number of chosen values.
inline void by_host(const Candidates& work) {
    int count = 0;
    device_graphs::begin_choice<<<1, 1>>>(work.count);
    device_graphs::choose<<<loops::blocks_for(work.n), kBlock>>>(work.values, work.n, work.limit, work.chosen,
                                                                 work.count);
    CUDA_CHECK(cudaMemcpy(&count, work.count, sizeof count, cudaMemcpyDeviceToHost));
    if (count == 0) return;
    device_graphs::count_steps<<<loops::blocks_for(count), kBlock>>>(work.values, work.chosen, count,
                                                                     work.steps);
}

/// Returns the expected steps, with -1 for values that are not over the limit.
inline std::vector<int> steps_of(const std::vector<int>& values, int limit) {
    std::vector<int> steps;
    for (const int value : values) {
        int done = 0;
        for (unsigned x = value; x > 1; ++done) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
        steps.push_back(value > limit ? done : -1);
    }
    return steps;
}

}  // namespace candidates

// For the demo of 15_work_queues: lists of tasks, the steps that a schedule of them takes, and a kernel for comparison.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <queue>
#include <vector>

#include "15_work_queues/15_work_queues.hpp"
#include "kit.cuh"

namespace queue_demo {

using namespace work_queues;

inline std::uint32_t hash(std::uint32_t i) {
    i = (i ^ (i >> 16)) * 0x7feb352du;
    i = (i ^ (i >> 15)) * 0x846ca68bu;
    return i ^ (i >> 16);
}

/// Returns tasks of which most are short: about half have fewer than 6 steps, and a few have 2000.
inline std::vector<Task> heavy_tail(int n) {
    std::vector<Task> tasks;
    for (int i = 0; i < n; ++i) {
        const double u = hash(static_cast<std::uint32_t>(i) + 77u) / 4294967296.0;
        tasks.push_back({hash(static_cast<std::uint32_t>(i)),
                         std::max(std::min(static_cast<int>(4 / (u + 1e-3)) - 3, 2000), 0)});
    }
    return tasks;
}

/// Returns tasks by the source's rule: task i has i % 256 steps.
inline std::vector<Task> source_rule(int n) {
    std::vector<Task> tasks;
    for (int i = 0; i < n; ++i) tasks.push_back({hash(static_cast<std::uint32_t>(i)), i % 256});
    return tasks;
}

/// Returns the tasks sorted, the longest first, so that neighbours are alike. The host can sort them if it knows their lengths.
inline std::vector<Task> longest_first(std::vector<Task> tasks) {
    std::stable_sort(tasks.begin(), tasks.end(),
                     [](const Task& a, const Task& b) { return a.steps > b.steps; });
    return tasks;
}

/// How busy lanes, warps and blocks are, in percent, if thread i does task i and all steps take the same time.
struct Filled {
    double lanes;   ///< steps of lanes, divided by 32 times the steps of their warp
    double warps;   ///< steps of warps, divided by 8 times the steps of the longest warp of their block
    double blocks;  ///< steps of the mean block, divided by those of the longest block
};

inline Filled filled_by_static(const std::vector<Task>& tasks) {
    double lanes = 0, warps = 0, blocks = 0, longest = 0;
    const int n = static_cast<int>(tasks.size());
    int count = 0;
    for (int block = 0; block < n; block += kBlock, ++count) {
        int of_block = 0;
        for (int warp = block; warp < std::min(block + kBlock, n); warp += kLanes) {
            int of_warp = 0;
            for (int i = warp; i < std::min(warp + kLanes, n); ++i) {
                lanes += tasks[static_cast<std::size_t>(i)].steps;
                of_warp = std::max(of_warp, tasks[static_cast<std::size_t>(i)].steps);
            }
            warps += of_warp;
            of_block = std::max(of_block, of_warp);
        }
        blocks += of_block;
        longest = std::max(longest, double(of_block));
    }
    return {100 * lanes / (kLanes * warps), 100 * warps / (kBlock / kLanes * blocks),
            100 * blocks / (count * longest)};
}

/// Which unit takes which tasks when `places` warps work at the same time.
enum class Schedule { blocks, batches_of_32, refill };

/// Returns the steps until all tasks are done. `blocks`: 8 warps start and end together. `batches_of_32`: each warp takes 32
/// tasks and waits for the longest. `refill`: each lane takes a task when it is free.
inline double steps_of(const std::vector<Task>& tasks, int places, Schedule schedule) {
    const std::size_t group = schedule == Schedule::blocks   ? kBlock
                              : schedule == Schedule::refill ? 1
                                                             : kLanes;
    const int workers = schedule == Schedule::blocks   ? places * kLanes / kBlock
                        : schedule == Schedule::refill ? places * kLanes
                                                       : places;
    std::priority_queue<long long, std::vector<long long>, std::greater<>> free_at;
    for (int w = 0; w < workers; ++w) free_at.push(0);
    long long end = 0;
    for (std::size_t first = 0; first < tasks.size(); first += group) {
        int longest = 0;
        for (std::size_t i = first; i < std::min(first + group, tasks.size()); ++i)
            longest = std::max(longest, tasks[i].steps);
        const long long done = free_at.top() + longest;
        free_at.pop();
        free_at.push(done);
        end = std::max(end, done);
    }
    return static_cast<double>(end);
}

/// Returns the steps that the tasks take if every lane has work all the time.
inline double ideal_steps(const std::vector<Task>& tasks, int places) {
    const double sum = std::accumulate(tasks.begin(), tasks.end(), 0.0,
                                       [](double all, const Task& t) { return all + t.steps; });
    return sum / (static_cast<double>(places) * kLanes);
}

/// Like v1, but with the table in shared memory, as in v5: every block copies it for its 256 tasks.
__global__ void static_with_table(const Task* tasks, int n, const std::uint32_t* table, std::uint32_t* out) {
    extern __shared__ std::uint32_t local[];
    for (int k = threadIdx.x; k < kTable; k += kBlock) local[k] = table[k];
    __syncthreads();  // every thread can read the whole table after all copies
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = work(local, tasks[i]);
}

}  // namespace queue_demo

// Runs a launch: the workers take its blocks in the order of the schedule.
#include "grid.hpp"

#include <algorithm>

#include "cluster.hpp"
#include "counters.hpp"
#include "kernel_heap.hpp"
#include "managed_work.hpp"
#include "memory/managed_pages.hpp"
#include "pause.hpp"
#include "pool.hpp"
#include "watchdog.hpp"
#include "worker.hpp"

namespace kit::cpu {

const GridPuts* grid_puts = nullptr;

Grid::Grid(const Launch& what, Schedule how)
    : launch(what),
      schedule(how),
      cluster_dims(cluster_dims_of(what)),
      cluster_blocks(cluster_dims.x * cluster_dims.y * cluster_dims.z),
      blocks(std::uint64_t{what.grid.x} * what.grid.y * what.grid.z),
      threads_per_block(what.block.x * what.block.y * what.block.z),
      to_run(what.cooperative || cluster_blocks > 1 ? BlockRange{0, blocks / cluster_blocks}
                                                    : blocks_to_run(blocks, threads_per_block)),
      order(how, to_run.count) {}

bool Grid::take_cluster(Share& share, bool several, std::uint64_t& number) {
    if (share.begin == share.end) {
        const std::uint64_t clusters = to_run.count;
        const std::uint64_t before = taken.load(std::memory_order_relaxed);
        if (before >= clusters) return false;
        // Shares get smaller towards the end, so that the workers finish at about the same time.
        const std::uint64_t most =
            several && cluster_blocks == 1 ? std::min(most_in_share, (clusters - before) / 64 + 1) : 1;
        share.begin = taken.fetch_add(most, std::memory_order_relaxed);
        if (share.begin >= clusters) share.begin = clusters;
        share.end = std::min(share.begin + most, clusters);
        if (share.begin == share.end) return false;
    }
    number = to_run.first + order(share.begin++);
    return true;
}

std::uint64_t Grid::block_of(std::uint64_t cluster, std::uint64_t rank) const {
    if (cluster_blocks == 1) return cluster;
    const dim3 &grid = launch.grid, &dims = cluster_dims;
    const std::uint64_t across = grid.x / dims.x, down = grid.y / dims.y;
    const std::uint64_t x = cluster % across * dims.x + rank % dims.x;
    const std::uint64_t y = cluster / across % down * dims.y + rank / dims.x % dims.y;
    const std::uint64_t z = cluster / across / down * dims.z + rank / dims.x / dims.y;
    return (z * grid.y + y) * grid.x + x;
}

void Grid::stop(cudaError_t why, Finding finding) {
    // Find the place of the launch before the error is visible: the search takes time, and code that sees the
    // error may end the program.
    finding.launched = where_queued(launch.place, launch.calls);
    {
        std::lock_guard lock(mutex);
        if (error != cudaSuccess) return;
        error = why;
    }
    stopping = true;
    add_finding(std::move(finding));
}

void Grid::stop_quietly(cudaError_t why) {
    const std::lock_guard lock(mutex);
    if (error == cudaSuccess) error = why;
    stopping = true;
}

void Grid::block_finished() {
    if (launch.cooperative) block_arrives(finished);
}

void Grid::block_at_barrier() {
    block_arrives(at_barrier);
}

void Grid::block_arrives(std::uint64_t& count) {
    {
        std::lock_guard lock(mutex);
        ++count;
        if (at_barrier == 0 || finished + at_barrier < blocks) return;
        if (finished == 0) {
            at_barrier = 0;
            ++barrier_generation;
            return;
        }
    }
    stop(cudaErrorLaunchFailure, finding_about(facts::Rule::grid_sync_left, launch.place).in(launch.name));
}

cudaError_t run_grid(const Launch& launch) {
    Grid grid(launch, current_schedule());
    Counters one;
    one.kernels = 1;
    add_counters(one);
    Watched watched(grid);
    // A checked kernel runs on one core: its records then need no locks, and a report is the same in each
    // run.
    const auto most = observed() ? 1u : static_cast<unsigned>(std::min<std::uint64_t>(grid.blocks, 1024));
    const ManagedView pages(launch.name, launch.device, unordered_prefetches());
    observer().kernel_begins(grid);
    const HeapForKernel heap;
    const auto work = [&grid] { this_worker->work(grid); };
    if (kernels_run_together())
        on_this_thread(work);
    else
        on_workers(most, work);
    observer().kernel_ended();
    if (grid_puts) grid_puts->outlive(grid);
    return grid.error;
}

}  // namespace kit::cpu

// Runs one launch from start to end, with its blocks distributed over the cores.
#pragma once

#include <atomic>
#include <cstdint>
#include <kit_cpu/launch.hpp>
#include <mutex>

#include "schedule.hpp"
#include "source/findings.hpp"

namespace kit::cpu {

/// Runs the whole grid on the calling thread and the worker threads, and returns the execution error
/// (cudaSuccess, cudaErrorIllegalAddress, ...). The caller has made device memory accessible (see
/// DeviceAccess in memory.hpp).
cudaError_t run_grid(const Launch& launch);

/// A launch while it runs; shared by all workers.
struct Grid {
    Grid(const Launch& what, Schedule how);

    /// The clusters (or blocks) that one worker has taken from the grid and starts one after another.
    struct Share {
        std::uint64_t begin = 0, end = 0;
    };
    static constexpr std::uint64_t most_in_share =
        8;  ///< a worker can keep this many blocks, even if all of them wait

    /// Sets `number` to the next cluster (or block) to start from the worker's share. Returns false if all
    /// have been started. An empty share is refilled; `several` allows more than one cluster at a time, for a
    /// worker that has no waiting block and is not alone.
    bool take_cluster(Share& share, bool several, std::uint64_t& number);

    /// Returns the index of the block with this rank in a cluster.
    std::uint64_t block_of(std::uint64_t cluster, std::uint64_t rank) const;

    /// Called when a block has finished or waits at the grid barrier. The last such block releases the
    /// barrier.
    void block_finished();
    void block_at_barrier();

    /// Ends the grid with an error and a finding. Only the first call has an effect.
    void stop(cudaError_t error, Finding finding);
    /// Ends the grid with an error that was reported elsewhere.
    void stop_quietly(cudaError_t error);
    bool stopped() const { return stopping.load(std::memory_order_relaxed); }

    const Launch& launch;
    const Schedule schedule;
    const dim3 cluster_dims;
    const unsigned cluster_blocks;
    const std::uint64_t blocks;
    const unsigned threads_per_block;
    const BlockRange to_run;  ///< the clusters to run, or the blocks if there are no clusters
    const BlockOrder order;

    std::atomic<std::uint64_t> taken{0};
    std::atomic<std::uint64_t> barrier_generation{0};  ///< number of completed grid barriers
    std::atomic<bool> stopping{false};
    std::atomic<bool> fault_noted{false};  ///< a thread has had a fault, and its worker will stop the grid

    std::mutex mutex;  ///< protects the following members
    std::uint64_t finished = 0, at_barrier = 0;
    cudaError_t error = cudaSuccess;

  private:
    void block_arrives(std::uint64_t& count);
};

}  // namespace kit::cpu

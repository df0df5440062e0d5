// Runs one launch from beginning to end: its blocks, spread over the cores.
#pragma once

#include <atomic>
#include <cstdint>
#include <kit_cpu/launch.hpp>
#include <mutex>

#include "schedule.hpp"
#include "source/findings.hpp"

namespace kit::cpu {

/// Runs the whole grid on the calling thread and the worker threads, and returns the execution error
/// (cudaSuccess, cudaErrorIllegalAddress, ...). Device memory must be accessible (see DeviceAccess in
/// memory.hpp).
cudaError_t run_grid(const Launch& launch);

/// A launch while it runs; shared by all workers.
struct Grid {
    Grid(const Launch& what, Schedule how);

    /// Clusters that one worker has taken to start one after the other.
    struct Share {
        std::uint64_t begin = 0, end = 0;
    };
    static constexpr std::uint64_t most_in_share = 8;  ///< a worker has room for these if all should wait

    /// The number of the next cluster to start (a block, where there are no clusters), or false when all have been. From the
    /// worker's share; when that is used up he gets another one, of several if he has no block that waits and is not alone.
    bool take_cluster(Share& share, bool several, std::uint64_t& number);

    /// The index of a block of a cluster.
    std::uint64_t block_of(std::uint64_t cluster, std::uint64_t rank) const;

    /// A block has run to its end, or stands at the grid barrier; the last one to come releases it.
    void block_finished();
    void block_at_barrier();

    /// Ends the grid with an error and what was seen; the first call counts.
    void stop(cudaError_t error, Finding finding);
    /// The same where others have said why.
    void stop_quietly(cudaError_t error);
    bool stopped() const { return stopping.load(std::memory_order_relaxed); }

    const Launch& launch;
    const Schedule schedule;
    const dim3 cluster_dims;
    const unsigned cluster_blocks;
    const std::uint64_t blocks;
    const unsigned threads_per_block;
    const BlockRange to_run;  ///< clusters, or blocks where there are no clusters
    const BlockOrder order;

    std::atomic<std::uint64_t> taken{0};
    std::atomic<std::uint64_t> barrier_generation{0};  ///< completed grid barriers
    std::atomic<bool> stopping{false};
    std::atomic<bool> fault_noted{false};  ///< a thread has met a fault, and its worker will stop the grid

    std::mutex mutex;  ///< guards what follows
    std::uint64_t finished = 0, at_barrier = 0;
    cudaError_t error = cudaSuccess;

  private:
    void block_arrives(std::uint64_t& count);
};

}  // namespace kit::cpu

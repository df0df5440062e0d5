// The loop of one worker: it starts blocks, runs those that can run, and starts a further block when all
// resident blocks wait.
#include "worker.hpp"

#include <algorithm>

#include "cluster.hpp"
#include "grid.hpp"
#include "grid_puts.hpp"
#include "hand_over.hpp"
#include "pause.hpp"
#include "watchdog.hpp"

namespace kit::cpu {

__thread Worker* this_worker = nullptr;

namespace {

// Limits how many blocks start while others spin and stay resident. Each sleeping CUDA thread keeps a stack.
constexpr std::uint64_t most_resident_threads = 1 << 15;

}  // namespace

void Worker::resume(void* stack) {
    stopped = nullptr;
    in_thread = true;
    in_executor = !block->alone();  // a sleeping thread is in the executor, except a thread that sleeps in
                                    // relayed()
    switch_stack(&scheduler, stack);
    if (fault.signal) report_fault(*this);
    if (stopped) {
        block->settle();
        fibers.abandon(stopped);
    }
    fiber = nullptr;
    in_thread = false;
}

void Worker::stop(const void* stack) {
    in_thread = false;
    stopped = stack;
    void* nowhere;
    switch_stack(&nowhere, scheduler);
    std::abort();  // a stopped thread is never resumed
}

void Worker::start_block(Block& block, Grid& grid, std::uint64_t index) {
    block.start(grid, index, Dice(grid.schedule.seed ^ (index + 1) * 0x9E3779B97F4A7C15u));
    ++counters.blocks;
    counters.threads += grid.threads_per_block;
}

/// Starts all blocks of a cluster on this worker.
void Worker::start_cluster(Grid& grid, std::uint64_t number) {
    const std::size_t first = resident_.size();
    for (unsigned rank = 0; rank < grid.cluster_blocks; ++rank) {
        if (spare_.empty()) spare_.push_back(std::make_unique<Block>());
        resident_.push_back(std::move(spare_.back()));
        spare_.pop_back();
        start_block(*resident_.back(), grid, grid.block_of(number, rank));
    }
    if (grid.cluster_blocks == 1) return;
    const auto cluster = std::make_shared<Cluster>();
    for (std::size_t i = first; i < resident_.size(); ++i) resident_[i]->join(cluster);
    // The schedule decides which block is first.
    if (grid.schedule.order == Order::reverse)
        std::reverse(resident_.begin() + static_cast<std::ptrdiff_t>(first), resident_.end());
    if (grid.schedule.order != Order::random) return;
    Dice dice(grid.schedule.seed + number);
    for (std::size_t i = resident_.size() - 1; i > first; --i)
        std::swap(resident_[i], resident_[first + dice.roll() % (i - first + 1)]);
}

/// Keeps the shared memory of a finished block of a cluster: if another block still uses it by mistake, the
/// access must be reported.
void Worker::retire(std::unique_ptr<Block> block) {
    Cluster* const cluster = block->cluster_or_null();
    if (!cluster) return spare_.push_back(std::move(block));
    ended_.push_back(std::move(block));
    if (!cluster->block_ended()) return;
    for (std::size_t i = ended_.size(); i-- > 0;) {
        if (ended_[i]->cluster_or_null() != cluster) continue;
        spare_.push_back(std::move(ended_[i]));
        ended_.erase(ended_.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

/// Called when no block of the worker can continue.
void Worker::wait_for_other_kernels(Grid& grid) {
    const bool for_signals = looks == 0 && grid_puts && grid_puts->waits_for_signals(grid);
    pause_kernel(grid, for_signals, [&] {
        if (for_signals)
            grid.stop(cudaErrorLaunchFailure, grid_puts->signal_in_vain(grid));
        else
            stop_late(grid, {}, Place{});
    });
    this_worker = this;
}

void Worker::work(Grid& grid) {
    std::uint64_t generation = grid.barrier_generation;
    bool start_another = true;
    Grid::Share share;
    const bool alone = observed();  // if the checks observe, one worker runs all blocks
    late = false;
    looks = 0;
    while (!grid.stopped()) {
        std::uint64_t number = 0;
        const bool room = resident_.empty() ||
                          resident_.size() * grid.threads_per_block < most_resident_threads ||
                          grid.launch.cooperative;
        bool all_wait = true;
        if (start_another && room && grid.take_cluster(share, !alone && resident_.empty(), number)) {
            start_cluster(grid, number);
            all_wait = false;
        } else if (resident_.empty()) {
            break;
        }
        start_another = true;

        if (const std::uint64_t now = grid.barrier_generation; now != generation) {
            generation = now;
            all_wait = false;
            for (auto& block : resident_) block->release_grid_barrier();
        }
        for (std::size_t i = 0; i < resident_.size() && !grid.stopped();) {
            if (resident_[i]->waits_for_grid() || resident_[i]->waits_for_cluster()) {
                ++i;
                continue;
            }
            switch (resident_[i]->run(*this)) {
                case Block::Outcome::finished:
                    grid.block_finished();
                    all_wait = false;
                    if (resident_.size() == 1 && !resident_[i]->cluster_or_null() &&
                        // Starts the next block in place of the finished one.
                        grid.take_cluster(share, !alone, number)) {
                        start_block(*resident_[i], grid, grid.block_of(number, 0));
                        continue;
                    }
                    retire(std::move(resident_[i]));
                    resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(i));
                    continue;
                case Block::Outcome::at_grid_barrier:
                    grid.block_at_barrier();
                    all_wait = false;
                    break;
                case Block::Outcome::at_cluster_barrier:
                    all_wait = false;
                    break;
                case Block::Outcome::spinning:
                case Block::Outcome::stopped:
                    break;
            }
            ++i;
        }
        if (all_wait && !grid.stopped() && kernels_run_together()) wait_for_other_kernels(grid);
        looks = 0;
    }
    for (auto& block : resident_) {
        block->abandon(*this);
        spare_.push_back(std::move(block));
    }
    for (auto& block : ended_) spare_.push_back(std::move(block));
    resident_.clear();
    ended_.clear();
    block = nullptr;
}

}  // namespace kit::cpu

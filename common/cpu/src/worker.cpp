// One core's loop: start blocks, run those that can run, start another when all that are here wait.
#include "worker.hpp"

#include "grid.hpp"

namespace kit::cpu {

__thread Worker* this_worker = nullptr;

namespace {

using boost::context::detail::jump_fcontext;
using boost::context::detail::transfer_t;

// A CUDA thread that sleeps keeps a stack. Blocks that spin stay resident; this bounds how many start beside
// them.
constexpr std::uint64_t most_resident_threads = 1 << 15;

/// The body of every fiber: run threads until the warp has no new one, then wait to be used again.
void runner(transfer_t from) {
    Worker& worker = *static_cast<Worker*>(from.data);
    worker.scheduler = from.fctx;
    for (;;) {
        worker.block->run_unstarted(worker);
        worker.leave(Worker::Leave::idle);
    }
}

}  // namespace

Worker::Worker() : fibers(runner) {}

void Worker::resume(Fiber* next) {
    fiber = next;
    left = Leave::stopped;
    const transfer_t back = jump_fcontext(next->context, this);
    next->context = back.fctx;
    if (fault.signal) report_fault(*this);
    fiber = nullptr;
    in_thread = false;
    if (left == Leave::idle) fibers.give(next);
    if (left == Leave::stopped) fibers.abandon(next);
}

void Worker::leave(Leave how) {
    left = how;
    in_thread = false;
    const transfer_t back = jump_fcontext(scheduler, nullptr);
    scheduler = back.fctx;
    in_thread = in_executor = how == Leave::asleep;
}

void Worker::work(Grid& grid) {
    std::uint64_t generation = grid.barrier_generation;
    bool start_another = true;
    while (!grid.stopped()) {
        std::uint64_t index = 0;
        const bool room = resident_.empty() ||
                          resident_.size() * grid.threads_per_block < most_resident_threads ||
                          grid.launch.cooperative;
        if (start_another && room && grid.take_block(index)) {
            if (spare_.empty()) spare_.push_back(std::make_unique<Block>());
            resident_.push_back(std::move(spare_.back()));
            spare_.pop_back();
            resident_.back()->start(grid, index,
                                    Dice(grid.schedule.seed ^ (index + 1) * 0x9E3779B97F4A7C15u));
            ++counters.blocks;
            counters.threads += grid.threads_per_block;
        } else if (resident_.empty()) {
            break;
        }
        start_another = true;

        if (const std::uint64_t now = grid.barrier_generation; now != generation) {
            generation = now;
            for (auto& block : resident_) block->release_grid_barrier();
        }
        for (std::size_t i = 0; i < resident_.size() && !grid.stopped();) {
            if (resident_[i]->waits_for_grid()) {
                ++i;
                continue;
            }
            switch (resident_[i]->run(*this)) {
                case Block::Outcome::finished:
                    spare_.push_back(std::move(resident_[i]));
                    resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(i));
                    grid.block_finished();
                    continue;
                case Block::Outcome::at_grid_barrier:
                    grid.block_at_barrier();
                    break;
                case Block::Outcome::spinning:
                case Block::Outcome::stopped:
                    break;
            }
            ++i;
        }
    }
    for (auto& block : resident_) {
        block->abandon(*this);
        spare_.push_back(std::move(block));
    }
    resident_.clear();
    block = nullptr;
}

}  // namespace kit::cpu

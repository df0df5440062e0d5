// The order of accesses that each kind of barrier creates.
#include "race_check.hpp"
#include "run/block.hpp"
#include "run/cluster.hpp"

namespace kit::cpu {
namespace {

/// The race check's data about a cluster.
struct ClusterChecks : Notes {
    std::shared_ptr<Arrivals> current;
    ArrivalsPtr last;  ///< the clock of the barrier's last completed phase
};

ClusterChecks& checks_of(Cluster& cluster) {
    if (!cluster.notes) cluster.notes = std::make_shared<ClusterChecks>();
    return static_cast<ClusterChecks&>(*cluster.notes);
}

void cluster_barrier(const BarrierStep& step) {
    Cluster& cluster = step.block.cluster();
    ClusterChecks& checks = checks_of(cluster);
    BlockClocks& clocks = checks_of(step.block).clocks;
    switch (step.step) {
        case BarrierStep::Step::arrived:
            if (!checks.current) {
                checks.current = std::make_shared<Arrivals>();
                checks.current->number = cluster.phase() + 1;
                checks.current->absent = ~0u;  // threads that have returned count as arrived
                for (const Block* each : cluster.blocks())
                    checks.current->add_block(checks_of(*each).clocks.number(), each->threads());
            }
            return clocks.arrive_at(*checks.current, step.block.rank());
        case BarrierStep::Step::complete:
            if (checks.current) checks.current->close();
            checks.last = std::exchange(checks.current, nullptr);
            return;
        case BarrierStep::Step::passed:
            return clocks.wait_for(checks.last, &cluster, step.block.rank());
    }
}

void object_barrier(const BarrierStep& step) {
    BlockChecks& checks = checks_of(step.block);
    const unsigned rank = step.block.rank();
    switch (step.step) {
        case BarrierStep::Step::arrived:
            return checks.barriers.arrive(checks.clocks, rank, step.object, step.phase);
        case BarrierStep::Step::complete:
            checks.copies.phase_ends(step.object, checks.barriers.now(step.object));
            return checks.barriers.complete(step.object);
        case BarrierStep::Step::passed:
            return checks.barriers.passed(checks.clocks, rank, step.object, step.phase);
    }
}

}  // namespace

void RaceCheck::barrier(const BarrierStep& step) {
    switch (step.of) {
        case BarrierStep::Of::block:
            return checks_of(step.block).clocks.barrier();
        case BarrierStep::Of::warp:
            return checks_of(step.block).clocks.warp_barrier(step.warp, step.lanes);
        case BarrierStep::Of::exchange:
            return;
        case BarrierStep::Of::grid:
            return grid_barrier(step);
        case BarrierStep::Of::cluster:
            return cluster_barrier(step);
        case BarrierStep::Of::object:
            return object_barrier(step);
    }
}

/// Between the arrival of the last block and the moment when the last block continues, no thread runs.
void RaceCheck::grid_barrier(const BarrierStep& step) {
    BlockChecks& checks = checks_of(step.block);
    if (step.step == BarrierStep::Step::arrived) {
        grid_restarts_ = false;
        latest_ = std::max(latest_, checks.clocks.latest());
        return;
    }
    // The clocks can restart here, because all earlier accesses happen before every later step.
    if (latest_ >= renewed_clock / 2) {
        shadows_.clear_records();
        sync_vars_.clear();
        grid_restarts_ = true;
        latest_ = 0;
    }
    grid_clock_ = latest_ + 1;
    if (grid_restarts_) {
        checks.shared.clear_records();
        checks.clocks.restart(grid_clock_);
    } else {
        checks.clocks.grid_barrier(grid_clock_);
    }
}

}  // namespace kit::cpu

// Decides which pieces of queued work and of host code are ordered with each other. The order in which work
// happened to run does not matter.
//
// Each operation of the queue has a vector clock. For every stream, the clock says which operations of that
// stream must finish before the operation starts. The host also has a clock, which joins the clocks of the
// work for which it has waited. Called with the API lock held.
#pragma once

#include <cstdint>
#include <kit_cpu/timeline.hpp>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace kit::cpu {

/// A vector clock: for each stream, by its number, the id of the last operation that has finished before.
using WorkClock = std::map<std::uint64_t, std::uint64_t>;

/// The position of an operation, or of host code, in the order.
struct WorkStamp {
    std::uint64_t stream = 0;
    std::uint64_t id = 0;  ///< id of the operation; for host code: id of the latest operation that was queued
                           ///< before
    bool host = false;
    WorkClock before;
    bool in_graph = false;  ///< whether the operation is a node of a graph
    /// The operations (stream and id) of which this one is a part. Work that is ordered after one of them is
    /// also ordered after this one.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> within = {};
    std::shared_ptr<const WorkLabel> label = {};  ///< null for host code
};

class WorkOrder {
  public:
    /// Creates an operation of the stream. The operation is ordered after the work in the host's clock;
    /// follow() adds other work.
    WorkStamp submit(std::uint64_t stream, std::uint64_t id);
    void follow(WorkStamp& stamp, const WorkStamp& earlier) const;

    /// Records that the host has waited for this operation.
    void host_waited(const WorkStamp& stamp);
    /// Records that the host has waited for all operations up to this id.
    void all_done(std::uint64_t last_id);

    /// Makes the calling host thread a separate process (`party`) with a copy of its clock. With 0, the
    /// thread is the program again and joins the clock of that process.
    void become(unsigned party);
    void learn(const WorkClock& known);

    /// Returns the position of the host code that is running.
    WorkStamp host_now(std::uint64_t last_id) const;

    /// Returns whether one of the two operations waits for the other. `now` is running; `earlier` ran before
    /// it.
    bool ordered(const WorkStamp& earlier, const WorkStamp& now) const;

    /// Returns whether work can be unordered. As long as all work is in one stream, all work is ordered.
    bool several_streams() const { return several_; }
    const WorkClock& host() const;
    std::uint64_t done_up_to() const { return done_; }

  private:
    WorkClock& mine();

    std::map<unsigned, WorkClock> hosts_;  ///< clocks of the host threads, by party; party 0 is the program
    std::uint64_t done_ = 0;  ///< all operations up to this id are ordered before everything that runs now
    std::uint64_t one_stream_ = 0;  ///< the only stream that has been used since `done_`
    bool used_ = false, several_ = false;
};

WorkOrder& work_order();

}  // namespace kit::cpu

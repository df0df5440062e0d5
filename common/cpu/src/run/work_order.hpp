// Decides which pieces of queued work, and which host code, are ordered with each other, independently of the order in which they ran.
//
// Each operation has a vector clock: for every stream, the operation up to which that stream's work is done before it starts. The
// host has a clock, too, which joins the clocks of the work for which it waits. Called with the API lock held.
#pragma once

#include <cstdint>
#include <kit_cpu/timeline.hpp>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace kit::cpu {

/// All operations of a stream up to this id are done before, by number of the stream.
using WorkClock = std::map<std::uint64_t, std::uint64_t>;

/// The place of an operation, or of the host, in the order.
struct WorkStamp {
    std::uint64_t stream = 0;
    std::uint64_t id = 0;  ///< its id; for host code: the latest operation that was queued before it
    bool host = false;
    WorkClock before;
    bool in_graph = false;  ///< whether it is a node of a graph
    /// Operations (stream and id) of which this one is a part. Work that is ordered after one of them is ordered after this.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> within = {};
    std::shared_ptr<const WorkLabel> label = {};  ///< null: host code
};

class WorkOrder {
  public:
    /// Creates an operation of the stream. It is ordered after the host's clock; follow() adds the rest.
    WorkStamp submit(std::uint64_t stream, std::uint64_t id);
    void follow(WorkStamp& stamp, const WorkStamp& earlier) const;

    /// Called when the host has waited for this operation.
    void host_waited(const WorkStamp& stamp);
    /// Called when the host has waited for everything up to this id.
    void all_done(std::uint64_t last_id);

    /// Makes the calling host thread a separate process with a copy of its clock; 0: it is the program again, which joins the
    /// clock of that process.
    void become(unsigned party);
    void learn(const WorkClock& known);

    /// Returns the place of the host code that runs now.
    WorkStamp host_now(std::uint64_t last_id) const;

    /// Returns whether one of the two waits for the other. `now` is running; the other ran earlier.
    bool ordered(const WorkStamp& earlier, const WorkStamp& now) const;

    /// Returns whether any work can be unordered. That is impossible while one stream does all the work.
    bool several_streams() const { return several_; }
    const WorkClock& host() const;
    std::uint64_t done_up_to() const { return done_; }

  private:
    WorkClock& mine();

    std::map<unsigned, WorkClock> hosts_;  ///< clocks of host threads, by party
    std::uint64_t done_ = 0;  ///< all operations up to this id are ordered before everything that runs now
    std::uint64_t one_stream_ = 0;  ///< the only stream that was used since then
    bool used_ = false, several_ = false;
};

WorkOrder& work_order();

}  // namespace kit::cpu

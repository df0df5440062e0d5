// Which pieces of queued work, and which host code, are ordered with each other, whatever order they ran in.
//
// Each operation knows, for every stream, up to which operation that stream's work is done before it begins: a vector
// clock. The host has one, too; it learns from what it waits for. Called with the API lock held.
#pragma once

#include <cstdint>
#include <kit_cpu/timeline.hpp>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace kit::cpu {

/// For a stream's number: all its operations up to this id are done before.
using WorkClock = std::map<std::uint64_t, std::uint64_t>;

/// One operation's, or the host's, place in the order.
struct WorkStamp {
    std::uint64_t stream = 0;
    std::uint64_t id = 0;  ///< of host code: the latest operation that was queued before it
    bool host = false;
    WorkClock before;
    bool in_graph = false;  ///< a node of a graph
    /// Operations (stream and id) that this one is part of: whoever comes after one of them comes after this.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> within = {};
    std::shared_ptr<const WorkLabel> label = {};  ///< null: host code
};

class WorkOrder {
  public:
    /// A new operation of the stream. It is ordered after what the host knows; follow() adds the rest.
    WorkStamp submit(std::uint64_t stream, std::uint64_t id);
    void follow(WorkStamp& stamp, const WorkStamp& earlier) const;

    /// The host has waited for this operation.
    void host_waited(const WorkStamp& stamp);
    /// The host has waited for everything up to this id.
    void all_done(std::uint64_t last_id);

    /// The calling host thread stands for a process of its own from now on, which knows what it knew; 0: it is the program again,
    /// which learns what that process knew.
    void become(unsigned party);
    void learn(const WorkClock& known);

    /// Host code that runs now.
    WorkStamp host_now(std::uint64_t last_id) const;

    /// Does one of the two wait for the other? `now` is what runs; the other ran earlier.
    bool ordered(const WorkStamp& earlier, const WorkStamp& now) const;

    /// Can anything be unordered? Not while one stream does all the work.
    bool several_streams() const { return several_; }
    const WorkClock& host() const;
    std::uint64_t done_up_to() const { return done_; }

  private:
    WorkClock& mine();

    std::map<unsigned, WorkClock> hosts_;  ///< by party
    std::uint64_t done_ = 0;               ///< these operations come before everything that runs now
    std::uint64_t one_stream_ = 0;         ///< the stream that was used since
    bool used_ = false, several_ = false;
};

WorkOrder& work_order();

}  // namespace kit::cpu

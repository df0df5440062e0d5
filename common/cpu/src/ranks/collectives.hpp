// One call that several ranks make together, such as a collective of NCCL, and its effect on memory.
#pragma once

#include <nccl.h>

#include <map>
#include <optional>

#include "run/meeting.hpp"
#include "source/findings.hpp"

namespace kit::cpu {

enum class Collective { all_reduce, reduce, broadcast, all_gather, reduce_scatter, message };

/// The call of one rank, with its arguments.
struct CollectiveCall {
    Collective kind;
    const char* function;
    const void* send;  ///< null if the rank only receives
    void* receive;     ///< null if the rank only sends
    std::size_t count;
    ncclDataType_t type;
    ncclRedOp_t operation;
    int root;  ///< root rank of a collective; for a message, the other rank
    int ranks, rank;
    Place place;
    unsigned thread;           ///< unique number of the calling host thread
    unsigned long long group;  ///< number that is common to the calls in one ncclGroup

    std::size_t bytes_read() const;
    std::size_t bytes_written() const;
    facts::Call facts() const;
};

/// Returns a finding of this rule about these calls.
Finding about_calls(facts::Rule rule, Place place, std::vector<facts::Call> calls);

std::size_t bytes_of(ncclDataType_t type);  ///< returns the size of an element; 0 for a type that is not
                                            ///< supported

/// The calls that belong together, by party. The parties are all ranks or, for a message, sender and
/// receiver. In a graph, the calls are made once and executed at each launch.
class Gathering {
  public:
    Gathering(std::size_t parties, unsigned long long number) : calls_(parties), number_(number) {}

    /// Adds the call of a party. If the call does not match the other calls, reports a finding and returns
    /// false, and none of the calls is executed.
    bool add(std::size_t party, const CollectiveCall& call);
    bool all_have_called() const;
    /// Ends all parts of this rank that have not ended. They write nothing, and wait for no other rank.
    void abandon(int rank);

    /// One execution of these calls; each party takes part in it once.
    class Occasion;
    std::shared_ptr<Occasion> next(const std::shared_ptr<Gathering>& self, std::size_t party);

  private:
    std::vector<std::optional<CollectiveCall>> calls_;
    unsigned long long number_;
    bool refused_ = false;
    std::vector<std::uint64_t> turns_ = std::vector<std::uint64_t>(calls_.size());
    /// Executions by number at which some parties have not arrived.
    std::map<std::uint64_t, std::shared_ptr<Occasion>> open_;
};
using GatheringPtr = std::shared_ptr<Gathering>;

/// A party's part in its next execution, together with the parties in its group.
struct Seat {
    GatheringPtr gathering;
    std::size_t party;
};
Part part_of(const std::vector<Seat>& seats);

}  // namespace kit::cpu

// One call that several ranks make together, and its effect on memory.
#pragma once

#include <nccl.h>

#include <map>
#include <optional>

#include "run/meeting.hpp"
#include "source/findings.hpp"

namespace kit::cpu {

enum class Collective { all_reduce, reduce, broadcast, all_gather, reduce_scatter, message };

/// The call of one rank.
struct CollectiveCall {
    Collective kind;
    const char* function;
    const void* send;  ///< null: the rank only receives
    void* receive;     ///< null: the rank only sends
    std::size_t count;
    ncclDataType_t type;
    ncclRedOp_t operation;
    int root;  ///< for a message, the other rank
    int ranks, rank;
    Place place;
    unsigned thread;           ///< unique number of the host thread
    unsigned long long group;  ///< number that the calls of one group share

    std::size_t bytes_read() const;
    std::size_t bytes_written() const;
    facts::Call facts() const;
};

/// Returns a finding about these calls.
Finding about_calls(facts::Rule rule, Place place, std::vector<facts::Call> calls);

std::size_t bytes_of(ncclDataType_t type);  ///< returns 0 for types that are not supported

/// The calls that belong together, by party: all ranks or, for a message, sender and receiver. In a graph they are made once and carried
/// out at each launch.
class Gathering {
  public:
    Gathering(std::size_t parties, unsigned long long number) : calls_(parties), number_(number) {}

    /// Adds a call. Returns false if it cannot belong to the other calls: that becomes a finding, and none of the calls is carried out.
    bool add(std::size_t party, const CollectiveCall& call);
    bool all_have_called() const;

    /// The next execution for a party.
    class Occasion;
    std::shared_ptr<Occasion> next(const std::shared_ptr<Gathering>& self, std::size_t party);

  private:
    std::vector<std::optional<CollectiveCall>> calls_;
    unsigned long long number_;
    bool refused_ = false;
    std::vector<std::uint64_t> turns_ = std::vector<std::uint64_t>(calls_.size());
    std::map<std::uint64_t, std::shared_ptr<Occasion>> open_;  ///< by number; some parties have not arrived
};
using GatheringPtr = std::shared_ptr<Gathering>;

/// The part of a party at its next execution, together with the parties in its group.
struct Seat {
    GatheringPtr gathering;
    std::size_t party;
};
Part part_of(const std::vector<Seat>& seats);

}  // namespace kit::cpu

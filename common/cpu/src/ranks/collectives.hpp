// One call that several ranks make together, and what it does to memory.
#pragma once

#include <nccl.h>

#include <map>
#include <optional>

#include "run/meeting.hpp"
#include "source/findings.hpp"

namespace kit::cpu {

enum class Collective { all_reduce, reduce, broadcast, all_gather, reduce_scatter, message };

/// What one rank asks for.
struct CollectiveCall {
    Collective kind;
    const char* function;
    const void* send;  ///< null: it only receives
    void* receive;     ///< null: it only sends
    std::size_t count;
    ncclDataType_t type;
    ncclRedOp_t operation;
    int root;  ///< for a message: the other rank
    int ranks, rank;
    Place place;
    unsigned thread;           ///< a number that no other host thread has
    unsigned long long group;  ///< calls of one group have one number

    std::size_t bytes_read() const;
    std::size_t bytes_written() const;
    facts::Call facts() const;
};

/// Returns a finding about these calls.
Finding about_calls(facts::Rule rule, Place place, std::vector<facts::Call> calls);

std::size_t bytes_of(ncclDataType_t type);  ///< 0: not offered

/// The calls that belong together, by party: all ranks or, of a message, sender and receiver. In a graph they are made once,
/// and carried out at each launch.
class Gathering {
  public:
    Gathering(std::size_t parties, unsigned long long number) : calls_(parties), number_(number) {}

    /// False if it cannot belong to the calls that are here: what is wrong becomes a finding, and none of them is carried out.
    bool add(std::size_t party, const CollectiveCall& call);
    bool all_have_called() const;

    /// The party's next occasion.
    class Occasion;
    std::shared_ptr<Occasion> next(const std::shared_ptr<Gathering>& self, std::size_t party);

  private:
    std::vector<std::optional<CollectiveCall>> calls_;
    unsigned long long number_;
    bool refused_ = false;
    std::vector<std::uint64_t> turns_ = std::vector<std::uint64_t>(calls_.size());
    std::map<std::uint64_t, std::shared_ptr<Occasion>> open_;  ///< by turn: not all parties have come
};
using GatheringPtr = std::shared_ptr<Gathering>;

/// What a party does there, at its next occasion, together with others that it is grouped with.
struct Seat {
    GatheringPtr gathering;
    std::size_t party;
};
Part part_of(const std::vector<Seat>& seats);

}  // namespace kit::cpu

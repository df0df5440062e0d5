// What the checkers have seen in one kernel: each kind of mistake once per pair of lines, counted, then told in words.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "race.hpp"
#include "sites.hpp"
#include "source/findings.hpp"
#include "unordered_work.hpp"
#include "unwritten_copies.hpp"

namespace kit::cpu {

class Block;

/// One of two accesses that race, and the work that made it.
struct RacingAccess {
    const WorkItem* item;
    Record record;
    bool runs_now = false;  ///< the access is in progress
};

class Mistakes {
  public:
    explicit Mistakes(Sites& sites) : sites_(sites) {}

    /// `block` is where `now` runs, null outside of kernels.
    /// `width`: of what was accessed there.
    void race(const Block* block, const char* address, std::size_t width, RacingAccess now,
              RacingAccess earlier);
    /// `lane`: nobody has written it, or an undefined value that a shuffle took from there. `discarded`: the site that has
    /// thrown its value away, 0 if none. `copy`: one that had too few bytes for it; null if there is none.
    void uninitialised(const Block& block, const Access& access, const UndefinedLane* lane,
                       std::uint32_t discarded, const AsyncCopy* copy);

    /// The shared memory of `block` was used by another one of its cluster, which nothing makes finish first.
    void outlived(const Block& block, const char* address, RacingAccess visitor);
    /// ... and a bulk copy still reads it.
    void outlived(const Block& block, const AsyncCopy& copy);
    void uninitialised_on_host(const void* instruction, const UnwrittenCopies::Origin& origin);

    /// Hands the findings in, the most telling first, at most five.
    void report();

  private:
    struct Seen {
        std::uint64_t count = 0;
        unsigned order = 0;
        Finding finding;

        bool is_race() const { return finding.rule == facts::Rule::race; }
    };
    /// Without who made it.
    facts::Access access_of(const RacingAccess& access) const;
    /// Who called the helper in which this access is.
    Place caller(const RacingAccess& party) const;
    Seen* note(std::uint32_t site, std::uint32_t other_site, char kind);

    Sites& sites_;
    std::unordered_map<std::uint64_t, Seen> seen_;
};

/// Returns the place of an address that a thread of the block uses; without a block, of global memory. `width`: of the access.
facts::Memory place_of(const Block* block, const char* address, std::size_t width = 1);

/// Why bytes have no value: nobody has written them, unless they are made of what a shuffle took from a lane outside its mask, or
/// were discarded. `lane` is null and `discarded` unknown if that is not so.
Finding why_unwritten(facts::Rule rule, const Spot& spot, const UndefinedLane* lane, Place discarded);

}  // namespace kit::cpu

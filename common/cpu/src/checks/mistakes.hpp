// The mistakes in one kernel: each kind of mistake once per pair of lines, with a count, then reported as findings.
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

/// One of two accesses that race, and the work that it belongs to.
struct RacingAccess {
    const WorkItem* item;
    Record record;
    bool runs_now = false;  ///< the access is in progress
};

class Mistakes {
  public:
    explicit Mistakes(Sites& sites) : sites_(sites) {}

    /// Adds a race. `block` is the block of `now`, null outside of kernels. `width`: bytes of the access.
    void race(const Block* block, const char* address, std::size_t width, RacingAccess now,
              RacingAccess earlier);
    /// Adds a read of uninitialized bytes. `lane`: the shuffle that returned an undefined value, null if the bytes were not written.
    /// `discarded`: the site that has discarded the value, 0 if none. `copy`: a copy that had too few bytes for it; null if there is none.
    void uninitialised(const Block& block, const Access& access, const UndefinedLane* lane,
                       std::uint32_t discarded, const AsyncCopy* copy);

    /// Adds an access to the shared memory of `block` by a different block of its cluster, if nothing makes that block finish first.
    void outlived(const Block& block, const char* address, RacingAccess visitor);
    /// Adds a bulk copy that still reads the shared memory of `block` when the block ends.
    void outlived(const Block& block, const AsyncCopy& copy);
    void uninitialised_on_host(const void* instruction, const UnwrittenCopies::Origin& origin);

    /// Reports at most five findings, the most informative first.
    void report();

  private:
    struct Seen {
        std::uint64_t count = 0;
        unsigned order = 0;
        Finding finding;

        bool is_race() const { return finding.rule == facts::Rule::race; }
    };
    /// Returns the access without its thread.
    facts::Access access_of(const RacingAccess& access) const;
    /// Returns the line that called the helper which contains this access.
    Place caller(const RacingAccess& party) const;
    Seen* note(std::uint32_t site, std::uint32_t other_site, char kind);

    Sites& sites_;
    std::unordered_map<std::uint64_t, Seen> seen_;
};

/// Returns the place of an address that a thread of the block uses; without a block, of global memory. `width`: of the access.
facts::Memory place_of(const Block* block, const char* address, std::size_t width = 1);

/// Returns the finding for bytes without a value: they were not written, they are made of a value that a shuffle took from a lane outside
/// its mask, or they were discarded. `lane` is null and `discarded` is unknown if that is not so.
Finding why_unwritten(facts::Rule rule, const Spot& spot, const UndefinedLane* lane, Place discarded);

}  // namespace kit::cpu

// The mistakes found in one kernel. Each kind of mistake is stored once per pair of lines, with a count, and
// then reported as a finding.
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

/// One of the two accesses of a race, with the work that made it.
struct RacingAccess {
    const WorkItem* item;
    Record record;
    bool runs_now = false;  ///< whether the access is the one in progress
};

class Mistakes {
  public:
    explicit Mistakes(Sites& sites) : sites_(sites) {}

    /// Adds a race. `block` is the block of the access `now`; null outside of kernels. `width`: bytes
    /// of the access.
    void race(const Block* block, const char* address, std::size_t width, RacingAccess now,
              RacingAccess earlier);
    /// Adds a read of uninitialized bytes. `lane`: the shuffle that returned an undefined value; null if the
    /// bytes were not written. `discarded`: the site that has discarded the bytes; 0 if none has. `copy`: a
    /// copy that was too short to reach the bytes; null if there is none.
    void uninitialised(const Block& block, const Access& access, const UndefinedLane* lane,
                       std::uint32_t discarded, const AsyncCopy* copy);

    /// Adds an access by another block to the shared memory of `block`, which could have ended before.
    void outlived(const Block& block, const char* address, RacingAccess visitor);
    /// Adds a bulk copy that still reads the shared memory of `block` when that block ends.
    void outlived(const Block& block, const AsyncCopy& copy);
    void uninitialised_on_host(const void* instruction, const UnwrittenCopies::Origin& origin);

    /// Reports at most five findings. The most informative ones come first.
    void report();

  private:
    struct Seen {
        std::uint64_t count = 0;
        unsigned order = 0;
        Finding finding;

        bool is_race() const { return finding.rule == facts::Rule::race; }
    };
    /// Returns the facts about the access, without its thread.
    facts::Access access_of(const RacingAccess& access) const;
    /// Returns the line that called the helper function in which the access is.
    Place caller(const RacingAccess& party) const;
    Seen* note(std::uint32_t site, std::uint32_t other_site, char kind);

    Sites& sites_;
    std::unordered_map<std::uint64_t, Seen> seen_;
};

/// Returns the position of an address that a thread of the block uses; of global memory if `block` is null.
/// `width`: bytes of the access.
facts::Memory place_of(const Block* block, const char* address, std::size_t width = 1);

/// Returns the finding for bytes without a value: they were never written, they come from a shuffle that read
/// an inactive lane, or they were discarded. `lane` is null and `discarded` is unknown if they do not apply.
Finding why_unwritten(facts::Rule rule, const Spot& spot, const UndefinedLane* lane, Place discarded);

}  // namespace kit::cpu

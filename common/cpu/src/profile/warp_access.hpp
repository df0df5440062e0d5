// One access by the lanes of a warp, and what it costs on a GPU.
#pragma once

#include <cstdint>

namespace kit::cpu {

struct WarpAccess {
    std::uint32_t lanes = 0;    ///< bit by lane: those that take part
    std::uint64_t address[32];  ///< for shared memory: the offset from its start
    unsigned bytes = 0;         ///< bytes of each lane

    unsigned active() const { return static_cast<unsigned>(__builtin_popcount(lanes)); }
    unsigned distinct_addresses() const;

    /// Aligned pieces of 32 bytes. Ideal are as many as the bytes of all lanes fill, or fewer where lanes share them: so Nsight Compute
    /// counts it (tests/cpu/ncu.md).
    unsigned sectors() const;
    unsigned ideal_sectors() const;

    /// What a bank delivers at once is one word of 4 bytes. 8 bytes go by half warps, 16 by quarters; of a load two of these go together
    /// where neighbours, or every other ones, want the same (as an H200 does it, lectures/04_shared_memory/results/h200_patterns.txt).
    /// `groups` has room for 4 masks of lanes that go together; returns how many there are.
    unsigned groups(bool is_load, std::uint32_t* groups) const;
    unsigned wavefronts(bool is_load) const;
    unsigned ideal_wavefronts(bool is_load) const;

    /// Returns the distance from lane to lane, if it is the same for all neighbours; otherwise 0.
    long stride() const;

  private:
    bool is_same_across(std::uint32_t group, unsigned distance) const;
};

/// Returns the numbers of the sectors that the access touches, ascending, into an array of 64; returns how many.
unsigned sectors_of(const WarpAccess& access, std::uint64_t* sectors);

}  // namespace kit::cpu

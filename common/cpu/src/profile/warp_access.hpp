// One access by the lanes of a warp, and its cost on a GPU.
#pragma once

#include <cstdint>

namespace kit::cpu {

struct WarpAccess {
    std::uint32_t lanes = 0;    ///< one bit per lane that takes part
    std::uint64_t address[32];  ///< by lane; for shared memory, the offset from its start
    unsigned bytes = 0;         ///< bytes of each lane

    unsigned active() const { return static_cast<unsigned>(__builtin_popcount(lanes)); }
    unsigned distinct_addresses() const;

    /// Returns the number of aligned pieces of 32 bytes. Ideal is the number that the bytes of all lanes fill, or fewer if lanes share
    /// bytes. Nsight Compute counts in the same way (tests/cpu/ncu.md).
    unsigned sectors() const;
    unsigned ideal_sectors() const;

    /// Splits the access into groups of lanes that are served together, because a bank delivers one word of 4 bytes at a time. Accesses of
    /// 8 bytes go by half warps, those of 16 by quarters; two groups of a load go together if neighbours, or every other lanes, access the
    /// same bytes (as on an H200, lectures/04_shared_memory/results/h200_patterns.txt). `groups` has space for 4 masks of lanes; returns
    /// their number.
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

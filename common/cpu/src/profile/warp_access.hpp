// One access by the lanes of a warp, and what it costs on a GPU.
#pragma once

#include <cstdint>

namespace kit::cpu {

struct WarpAccess {
    std::uint32_t lanes = 0;    ///< one bit per lane that takes part
    std::uint64_t address[32];  ///< address of each lane; for shared memory, the offset from its start
    unsigned bytes = 0;         ///< size of each lane's access

    unsigned active() const { return static_cast<unsigned>(__builtin_popcount(lanes)); }
    unsigned distinct_addresses() const;

    /// Returns the number of aligned sectors (32 bytes) that the access touches. The ideal number is the size
    /// of all lanes' bytes in sectors, and is lower if lanes share bytes. Nsight Compute counts in the same
    /// way (tests/cpu/ncu.md).
    unsigned sectors() const;
    unsigned ideal_sectors() const;

    /// Splits an access to shared memory into groups of lanes that are served together, because a bank
    /// delivers one word of 4 bytes at a time. Accesses of 8 bytes are split into half warps, those of 16
    /// bytes into quarters. Two groups of a load are served together if neighbouring lanes, or every second
    /// lane, access the same bytes (as on an H200, lectures/04_shared_memory/results/h200_patterns.txt).
    /// Stores the lane masks in `groups`, which has space for 4, and returns their number.
    unsigned groups(bool is_load, std::uint32_t* groups) const;
    unsigned wavefronts(bool is_load) const;
    unsigned ideal_wavefronts(bool is_load) const;

    /// Returns the distance in bytes between the addresses of neighbouring lanes, if it is always the same;
    /// otherwise 0.
    long stride() const;

  private:
    bool is_same_across(std::uint32_t group, unsigned distance) const;
};

/// Stores the numbers of the touched sectors in ascending order in an array of 64, and returns how many there
/// are.
unsigned sectors_of(const WarpAccess& access, std::uint64_t* sectors);

}  // namespace kit::cpu

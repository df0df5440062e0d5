// The numbers by which records identify the blocks of a kernel.
//
// A record has 16 bits for a clock. When a block's clock reaches half of its range, the block gets a new number at its next barrier.
// Everything under the old number happens before that barrier, so clocks of the old number that other blocks have acquired stay correct.
// Without such a barrier, the block gets the new number just before the clock would overflow (BlockClocks::renew_in_time).
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "record.hpp"

namespace kit::cpu {

/// A barrier renews the number of a block whose clock has reached this value.
constexpr std::uint32_t renewed_clock = most_clock / 2;
/// A fence, arrival or launch increments a thread's clock by less than this.
constexpr std::uint32_t steps_at_once = 4;

class BlockNumbers {
  public:
    explicit BlockNumbers(std::uint64_t blocks) : blocks_(std::min<std::uint64_t>(blocks, most_blocks)) {}

    /// Returns a new number for the block that has this one; the same number if none is left. In that case its clock no longer changes, and
    /// its records count as ordered.
    std::uint32_t renew(std::uint32_t number) {
        if (blocks_ + renewed_.size() >= most_blocks) return number;
        renewed_.push_back(block(number));
        return static_cast<std::uint32_t>(blocks_ + renewed_.size() - 1);
    }

    /// Returns a number for the asynchronous copies of a block; the block's own when there is none left.
    std::uint32_t of_copies(std::uint32_t number) {
        const std::uint32_t mine = renew(number);
        if (mine != number) copies_.insert(mine);
        return mine;
    }
    bool is_of_copies(std::uint32_t number) const { return !copies_.empty() && copies_.count(number); }

    /// Returns the linear index of the block. In a grid of more than `most_blocks`, several blocks share a number: races between them may
    /// be missed, and reports do not name the block.
    std::uint32_t block(std::uint32_t number) const {
        return number < blocks_ ? number : renewed_[number - blocks_];
    }

  private:
    std::uint64_t blocks_;
    std::vector<std::uint32_t> renewed_;
    std::unordered_set<std::uint32_t> copies_;
};

}  // namespace kit::cpu

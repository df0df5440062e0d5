// The numbers that stand for the blocks of a kernel in records.
//
// A record has 16 bits for a clock. When the clock of a block reaches half of that range, the block gets a
// new number at its next barrier. Everything under the old number happens before that barrier, so clocks of
// the old number that other blocks have acquired stay correct. If no barrier comes, the block gets the new
// number just before the clock would overflow (BlockClocks::renew_in_time).
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "record.hpp"

namespace kit::cpu {

/// When a block's clock has reached this value, its next barrier gives the block a new number.
constexpr std::uint32_t renewed_clock = most_clock / 2;
/// An upper limit for the amount by which one fence, arrival or launch increments a thread's clock.
constexpr std::uint32_t steps_at_once = 4;

class BlockNumbers {
  public:
    explicit BlockNumbers(std::uint64_t blocks) : blocks_(std::min<std::uint64_t>(blocks, most_blocks)) {}

    /// Returns a new number for the block with this number. Returns the same number if none is left; then the
    /// block's clock no longer changes, and its accesses count as ordered.
    std::uint32_t renew(std::uint32_t number) {
        if (blocks_ + renewed_.size() >= most_blocks) return number;
        renewed_.push_back(block(number));
        return static_cast<std::uint32_t>(blocks_ + renewed_.size() - 1);
    }

    /// Returns a number for a block's asynchronous copies; the block's own number if none is left.
    std::uint32_t of_copies(std::uint32_t number) {
        const std::uint32_t mine = renew(number);
        if (mine != number) copies_.insert(mine);
        return mine;
    }
    bool is_of_copies(std::uint32_t number) const { return !copies_.empty() && copies_.count(number); }

    /// Returns the linear index of a block in the grid. In a grid of more than `most_blocks` blocks, several
    /// blocks share a number: races between them may be missed, and reports do not name the block.
    std::uint32_t block(std::uint32_t number) const {
        return number < blocks_ ? number : renewed_[number - blocks_];
    }

  private:
    std::uint64_t blocks_;
    std::vector<std::uint32_t> renewed_;
    std::unordered_set<std::uint32_t> copies_;
};

}  // namespace kit::cpu

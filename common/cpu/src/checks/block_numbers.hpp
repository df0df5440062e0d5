// The numbers under which records know the blocks of a kernel.
//
// A record has 16 bits for a clock. A block whose clock has gone half of that way takes another number at its next barrier, and
// has come after all that happened under the old one: whoever knew something of the old number still knows it. Without such a
// barrier it takes the number when the clock would run over (BlockClocks::renew_in_time).
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "record.hpp"

namespace kit::cpu {

/// From this clock on a barrier of the block renews.
constexpr std::uint32_t renewed_clock = most_clock / 2;
/// One fence, arrival or launch moves a thread's clock by less.
constexpr std::uint32_t steps_at_once = 4;

class BlockNumbers {
  public:
    explicit BlockNumbers(std::uint64_t blocks) : blocks_(std::min<std::uint64_t>(blocks, most_blocks)) {}

    /// Another number for the block that has this one; the same when there is none left: its clock then stands still, and its
    /// records count as ordered.
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

    /// Returns the linear index of the block. In a grid of more than `most_blocks` several share a number: what two of them do to each
    /// other may be missed, and no block is named.
    std::uint32_t block(std::uint32_t number) const {
        return number < blocks_ ? number : renewed_[number - blocks_];
    }

  private:
    std::uint64_t blocks_;
    std::vector<std::uint32_t> renewed_;
    std::unordered_set<std::uint32_t> copies_;
};

}  // namespace kit::cpu

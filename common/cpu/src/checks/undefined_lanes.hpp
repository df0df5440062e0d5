// Values that a shuffle took from a lane outside its mask, and what became of them.
//
// CUDA leaves such a value undefined; here it is poison (kit_cpu/warp.hpp). To take one is no mistake, to use it is: in a
// reduction the upper lanes take them and nobody asks what they have, and `if (lane + 8 < n) sum += other;` drops them. So a
// value is followed. What a lane brings to its next shuffle, or stores, is compared with its own value from before and with
// the one that it took: is it their sum, product, difference, or one of the two? What is made otherwise is not recognised.
#pragma once

#include <cstdint>
#include <kit_cpu/thread.hpp>
#include <unordered_map>

namespace kit::cpu {

/// Of one block.
class UndefinedValues {
  public:
    void clear() { taken_.clear(); }
    bool any() const { return !taken_.empty(); }

    /// Where a value of the thread comes from, if it is made of an undefined one; otherwise null.
    const UndefinedLane* origin(unsigned rank, const void* value, std::size_t bytes) const;

    /// After a shuffle in which the thread had an undefined value or took one, or neither.
    void took(unsigned rank, const ShuffleInput& input, const void* taken);

  private:
    struct Taken {
        std::uint64_t own = 0, other = 0;
        std::size_t bytes = 0;
        UndefinedLane own_origin, other_origin;
    };
    std::unordered_map<unsigned, Taken> taken_;  ///< by rank
};

}  // namespace kit::cpu

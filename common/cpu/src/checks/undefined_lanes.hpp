// Values that a shuffle took from a lane outside its mask, and what became of them.
//
// CUDA leaves such a value undefined; here it is poison (kit_cpu/warp.hpp). To take one is no mistake, to use it is: in a
// reduction the upper lanes take them and nobody asks what they have, and `if (lane + 8 < n) sum += other;` drops them. So a
// value is followed, also into memory, where it counts as one that nobody has written. What a lane brings to its next shuffle, or stores, is compared with its own value from before and with
// the one that it took: is it their sum, product, difference, or one of the two? What is made otherwise is not recognised.
#pragma once

#include <cstdint>
#include <kit_cpu/thread.hpp>
#include <map>
#include <string>
#include <unordered_map>

#include "race.hpp"

namespace kit::cpu {

/// Of one block.
class UndefinedValues {
  public:
    void clear() { taken_.clear(); }
    bool any() const { return !taken_.empty(); }

    /// Where a value of the thread comes from, if it is made of an undefined one; otherwise null.
    const UndefinedLane* origin(unsigned rank, const void* value, std::size_t bytes) const;

    /// The same for what the thread has just stored, or, as integers, added to what was there before.
    const UndefinedLane* stored(unsigned rank, const Access& access, const void* before) const;

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

/// Where such values have been stored.
class StoredUndefined {
  public:
    void add(const char* address, const UndefinedLane& lane);
    void forget(const char* begin, std::size_t bytes);
    const UndefinedLane* at(const char* address) const;

  private:
    std::map<const char*, UndefinedLane> words_;
};

}  // namespace kit::cpu

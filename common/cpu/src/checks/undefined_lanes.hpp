// Values that a shuffle took from a lane that does not take part, and how they are used. Such a lane is not in the mask, has returned from
// the kernel, or does not exist.
//
// CUDA leaves such a value undefined; here it is poison (kit_cpu/undefined.hpp). Taking one is legal; using it is an error. In a reduction,
// the upper lanes take undefined values, and no thread uses their results; `if (lane + 8 < n) sum += other;` drops them. So each value is
// followed, including into memory, where it counts as not written. The value that a lane brings to its next shuffle, or stores, is compared
// with the lane's own earlier value and with the value that it took: is it their sum, product or difference, one of the two, or what min or max
// made of it? A value that was computed differently is not recognized.
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

    /// Returns where a value of the thread comes from, if it is made of an undefined one; otherwise null.
    const UndefinedLane* origin(unsigned rank, const void* value, std::size_t bytes) const;

    /// Returns the same for what the thread has just stored, or, as integers, added to what was there before.
    const UndefinedLane* stored(unsigned rank, const Access& access, const void* before) const;

    /// After a shuffle in which the thread had an undefined value or took one, or neither.
    void took(unsigned rank, const ShuffleInput& input, const void* taken);

    /// For a minimum or maximum of a value that the thread has taken. Returns false if the value is defined.
    bool replace(unsigned rank, const void* operand, void* result, std::size_t bytes, bool larger);

  private:
    struct Taken {
        std::uint64_t own = 0, other = 0;
        std::uint64_t extreme = 0;  ///< result of min or max that stands for the undefined value; 0: none
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

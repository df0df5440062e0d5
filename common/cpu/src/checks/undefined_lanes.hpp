// Tracks the undefined values that shuffles return, from the lane that receives one to the place where it is used. A shuffle returns one if
// it reads from a lane that is not in the mask, has returned from the kernel, or does not exist.
//
// CUDA leaves such a value undefined; here it is poison (kit_cpu/undefined.hpp). Receiving one is legal; using it is an error. In a
// reduction, the upper lanes receive undefined values, and no thread uses their results; `if (lane + 8 < n) sum += other;` discards them.
// So this class follows each value, including through memory, where it counts as not written. When a lane passes a value to its next
// shuffle, or stores it, the check compares it with the lane's own earlier value and with the value received. If it is one of the two,
// their sum, product or difference, or the result of min or max, it is undefined as well. Values computed in a different way are missed.
#pragma once

#include <cstdint>
#include <kit_cpu/thread.hpp>
#include <map>
#include <string>
#include <unordered_map>

#include "race.hpp"

namespace kit::cpu {

/// The undefined values of one block.
class UndefinedValues {
  public:
    void clear() { taken_.clear(); }
    bool any() const { return !taken_.empty(); }

    /// Returns where a value of the thread comes from, if it is made of an undefined one; otherwise null.
    const UndefinedLane* origin(unsigned rank, const void* value, std::size_t bytes) const;

    /// Returns the same for the value that the thread has just stored, or, as integers, added to the old value.
    const UndefinedLane* stored(unsigned rank, const Access& access, const void* before) const;

    /// Notes whether the thread had, or received, an undefined value in a shuffle.
    void took(unsigned rank, const ShuffleInput& input, const void* taken);

    /// Replaces the result of a minimum or maximum with a received value. Returns false if that value is defined.
    bool replace(unsigned rank, const void* operand, void* result, std::size_t bytes, bool larger);

  private:
    struct Taken {
        std::uint64_t own = 0, other = 0;
        std::uint64_t extreme = 0;  ///< result of min or max that stands for the undefined value; 0: none
        std::size_t bytes = 0;
        UndefinedLane own_origin, other_origin;
    };
    std::unordered_map<unsigned, Taken> taken_;  ///< received values by rank
};

/// The places where such values are stored.
class StoredUndefined {
  public:
    void add(const char* address, const UndefinedLane& lane);
    void forget(const char* begin, std::size_t bytes);
    const UndefinedLane* at(const char* address) const;

  private:
    std::map<const char*, UndefinedLane> words_;
};

}  // namespace kit::cpu
